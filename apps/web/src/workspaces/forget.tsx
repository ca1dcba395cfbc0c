import type { Device, Workspace } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { Button, buttonClass } from "../ui/button";
import { Note } from "../ui/note";
import { Problem } from "../ui/problem";

interface ForgetProps {
  workspace: Workspace;
  device: Device | undefined;
  /** It is being forgotten, or is not after all. */
  onForgetting: (is: boolean) => void;
}

/** Removes the record of a workspace whose device is away. Its directory, if it still exists, is left there. */
export function Forget({ workspace, device, onForgetting }: ForgetProps) {
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
          device ? `${device.name} is offline, so its files cannot be removed now.` : "Its device is gone."
        }
      >
        <p>
          {device
            ? "Bring the machine back to see what is unsaved, and to delete the workspace there."
            : "Nobody can tell what was in it."}{" "}
          Or forget it here: then its directory stays on that machine.
        </p>
      </Note>
      {forget.error && <Problem title="It was not forgotten." error={forget.error} />}
      <div className="flex gap-2">
        <Button
          look="danger"
          busy={forget.isPending}
          onClick={() => forget.mutate({ organizationId, id: workspace.id })}
        >
          Forget it, leave its files
        </Button>
        <Link
          to="/o/$organization/workspaces/$workspaceId"
          params={{ organization, workspaceId: workspace.id }}
          className={buttonClass("quiet")}
        >
          Keep it
        </Link>
      </div>
    </>
  );
}
