import type { Device, Workspace } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../../hooks/useOrganization";
import { queries, queryClient } from "../../lib/api";
import { Button, buttonClass } from "../../ui/button";
import { Note } from "../../ui/note";
import { Problem } from "../../ui/problem";

interface ForgetWorkspaceProps {
  workspace: Workspace;
  device: Device | undefined;
  /** Called with true when the deletion begins, and with false if it fails. */
  onForgetting: (is: boolean) => void;
}

/** Deletes only the record of a workspace whose device is offline or removed. Its directory stays. */
export function ForgetWorkspace({ workspace, device, onForgetting }: ForgetWorkspaceProps) {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const forget = useMutation(
    queries.workspace.delete.mutationOptions({
      onMutate: () => onForgetting(true),
      onError: () => onForgetting(false),
      onSuccess: async () => {
        await navigate({ to: "/o/$organization/workspaces", params: { organization } });
        await queryClient.invalidateQueries(queries.workspace.list.pathFilter());
      },
    }),
  );
  return (
    <>
      <Note
        look="warn"
        title={
          device
            ? `${device.name} is offline, so its files cannot be deleted now.`
            : "Its device was removed."
        }
      >
        <p>
          {device
            ? "Bring the machine online to check for unsaved work and delete the files."
            : "Its contents are unknown."}{" "}
          You can also remove it from Grove. Its files are kept on that machine.
        </p>
      </Note>
      {forget.error && <Problem title="Could not remove the workspace." error={forget.error} />}
      <div className="flex gap-2">
        <Button
          look="danger"
          busy={forget.isPending}
          onClick={() => forget.mutate({ organizationId, id: workspace.id })}
        >
          Remove from Grove, keep the files
        </Button>
        <Link
          to="/o/$organization/workspaces/$workspaceId"
          params={{ organization, workspaceId: workspace.id }}
          className={buttonClass("quiet")}
        >
          Cancel
        </Link>
      </div>
    </>
  );
}
