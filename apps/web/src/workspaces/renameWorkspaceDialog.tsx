import type { Workspace } from "@grove/schemas";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { CommandFailed, runTool } from "../lib/commands/deviceTools";
import { Field } from "../ui/field";
import { FormDialog } from "../ui/formDialog";

export function RenameWorkspaceDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const mutationFn = async (name: string) => {
    const updates = [{ workspaceId: workspace.id, name }];
    const target = { organizationId, deviceId: workspace.deviceId ?? "" };
    const { workspaces } = await runTool(target, "update_workspace", { updates });
    const error = workspaces[0]?.error;
    if (error) throw new CommandFailed({ status: "failed", error });
  };
  const refetch = [queries.workspace.pathFilter(), { queryKey: ["deviceTool"] }];
  const rename = useMutationWithRefetch({ mutationFn }, { refetch, onDone: onClose });
  return (
    <FormDialog
      title="Rename workspace"
      action="Rename"
      change={rename}
      failed="Could not rename the workspace."
      onSubmit={(text) => rename.mutate(text("name"))}
      onClose={onClose}
    >
      <Field
        label="New name"
        hint="The branch and the directory keep their names."
        name="name"
        defaultValue={workspace.name}
        maxLength={200}
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
