import type { TaskPriority } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { client } from "../lib/api";
import { applyTaskChange } from "../live/applyTaskChange";
import { showToast } from "../ui/showToast";
import { setPendingHandOver } from "./delegation/pendingHandOver";

interface NewTask {
  fields: {
    title: string;
    priority: TaskPriority;
    labels: string[];
    description?: string;
    status?: string;
    assigneeId?: string;
    projectId?: string;
    dueDate?: string;
  };
  /** Whether the new task's page opens with the form that hands it over. */
  isHandedOver: boolean;
}

/** Creates the task, shows it, and closes the dialog. */
export function useCreateTask(onClose: () => void) {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate({ from: "/o/$organization/tasks" });
  return useMutation({
    mutationFn: ({ fields }: NewTask) => client.task.create.mutate({ organizationId, ...fields }),
    onSuccess: (task, { isHandedOver }) => {
      applyTaskChange(organizationId, { type: "created", task });
      onClose();
      if (isHandedOver) {
        setPendingHandOver(task.id);
        // Keeps the filter for when the user returns to the list.
        void navigate({
          to: "/o/$organization/tasks/$task",
          params: { organization, task: task.slug },
          search: true,
        });
      } else showToast({ title: `Created “${task.title}”` });
    },
  });
}
