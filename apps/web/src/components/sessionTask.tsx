import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { VisibleName } from "../ui/visibleName";

/** A link to the task that a session works on, after the word "for". Renders nothing without one. */
export function SessionTask({ session: { taskId } }: { session: AgentSession }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const { data: task } = useQuery({
    ...queries.task.get.queryOptions({ organizationId, id: taskId ?? "" }),
    enabled: taskId !== null,
  });
  if (!task) return null;
  return (
    <span className="min-w-0 truncate text-muted">
      for{" "}
      <Link
        to="/o/$organization/tasks/$task"
        params={{ organization, task: task.slug }}
        className="text-ink hover:underline"
      >
        <VisibleName>{task.title}</VisibleName>
      </Link>
    </span>
  );
}
