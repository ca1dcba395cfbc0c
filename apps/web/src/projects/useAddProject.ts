import type { Device } from "@grove/schemas";
import { useNavigate } from "@tanstack/react-router";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { runTool } from "../lib/commands/deviceTools";
import { showToast } from "../ui/showToast";

/** Two ways to add a project: by its URL, and by its path on the user's device. Both end on the project's page. */
export function useAddProject(device: Device | undefined) {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const refetch = [queries.project.list.pathFilter()];
  const show = (project: string) =>
    navigate({ to: "/o/$organization/projects/$project", params: { organization, project } });
  const byUrl = useMutationWithRefetch(queries.project.create.mutationOptions(), {
    refetch,
    onDone: ({ id }) => show(id),
  });
  const byPath = useMutationWithRefetch(
    {
      mutationFn: (path: string) =>
        runTool({ organizationId, deviceId: device?.id ?? "" }, "add_project", { path }),
    },
    {
      refetch,
      onDone: ({ project, alreadyAdded, warnings }) => {
        const notes = [...(alreadyAdded ? ["It was already added."] : []), ...warnings];
        if (notes.length > 0) showToast({ title: project.name, description: notes.join(" ") });
        return show(project.id);
      },
    },
  );
  return { byUrl, byPath };
}
