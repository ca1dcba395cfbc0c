import type { Workspace } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { CommandFailed, runTool } from "../lib/deviceTools";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { Problem } from "../ui/problem";

export function RenameDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const rename = useMutation({
    mutationFn: async (name: string) => {
      const updates = [{ workspaceId: workspace.id, name }];
      const target = { organizationId, deviceId: workspace.deviceId ?? "" };
      const { workspaces } = await runTool(target, "update_workspace", { updates });
      const error = workspaces[0]?.error;
      if (error) throw new CommandFailed({ status: "failed", error });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries(queries.workspace.pathFilter());
      await queryClient.invalidateQueries({ queryKey: ["deviceTool"] });
      onClose();
    },
  });
  return (
    <Dialog title="Rename the workspace" open onOpenChange={onClose}>
      <Form onSubmit={(text) => rename.mutate(text("name"))}>
        <Field
          label="New name"
          hint="The branch and the directory keep their names."
          name="name"
          defaultValue={workspace.name}
          maxLength={200}
          autoComplete="off"
          required
        />
        {rename.error && <Problem title="Could not rename the workspace." error={rename.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={rename.isPending}>
            Rename
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
