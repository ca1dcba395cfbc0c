import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { toolQuery } from "../lib/deviceTools";
import { newId } from "../lib/newId";
import { Button, buttonClass } from "../ui/button";
import { Field } from "../ui/field";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Progress } from "../ui/progress";
import { deletionOutcome } from "./deletionOutcome";
import { ForgetWorkspace } from "./forgetWorkspace";
import { isOpen } from "./stateLabels";
import { UnsavedWork } from "./unsavedWork";
import { useWorkspace } from "./useWorkspace";

const route = getRouteApi("/signed-in/o/$organization/workspaces/$workspaceId/delete");

/** Deletes a workspace. Lists what would be lost, and requires its name before deleting unsaved work. */
export function DeletePage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { workspaceId } = route.useParams();
  const navigate = useNavigate();
  const [commandId, setCommandId] = useState("");
  const [isForgetting, setForgetting] = useState(false);
  const remove = useMutation(
    queries.agent.execute.mutationOptions({ onSuccess: ({ id }) => setCommandId(id) }),
  );
  const outcome = deletionOutcome(useDeletionCommand(organizationId, commandId));
  const isLeaving = remove.isPending || outcome === "open" || outcome === "removed" || isForgetting;
  const workspace = useWorkspace(organizationId, workspaceId, isLeaving);
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const deviceId = workspace.data?.deviceId ?? "";
  const device = devices.data?.find(({ id }) => id === deviceId);
  const isOnline = device?.status === "online";
  const details = useQuery({
    ...toolQuery({ organizationId, deviceId }, "get_workspace_details", { workspaceId }),
    enabled: isOnline && commandId === "",
    staleTime: 0,
  });
  const sessions = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, workspaceId, status: "running" }),
  );
  useEffect(() => {
    if (outcome !== "removed") return;
    void queryClient.invalidateQueries(queries.workspace.list.pathFilter());
    void navigate({ to: "/o/$organization/workspaces", params: { organization } });
  }, [outcome, navigate, organization]);
  const name = workspace.data?.name ?? "";
  const refusal = typeof outcome === "object" ? outcome : undefined;
  const losesWork =
    refusal !== undefined ||
    (details.data?.changesTotal ?? 0) > 0 ||
    (sessions.data?.length ?? 0) > 0 ||
    details.error !== null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const params = {
      workspaceIds: [workspaceId],
      deleteBranch: form.has("deleteBranch"),
      force: losesWork && form.get("confirmation") === name,
    };
    const idempotencyKey = newId();
    remove.mutate({ organizationId, deviceId, tool: "delete_workspace", params, waitMs: 0, idempotencyKey });
  };
  return (
    <Page title={`Delete ${name || "a workspace"}`}>
      <div className="flex max-w-2xl flex-col gap-5">
        {workspace.error && !workspace.data && (
          <Problem
            title="Could not load this workspace."
            error={workspace.error}
            onRetry={() => void workspace.refetch()}
          />
        )}
        {workspace.data && devices.data && !isOnline && (
          <ForgetWorkspace workspace={workspace.data} device={device} onForgetting={setForgetting} />
        )}
        {isOnline && outcome === "open" && (
          <div role="status" className="flex flex-col gap-2">
            <p>Deleting …</p>
            <Progress label="Progress" fraction={null} />
          </div>
        )}
        {isOnline && outcome !== "open" && outcome !== "removed" && (
          <form onSubmit={submit} className="flex flex-col gap-5">
            <p>This deletes its directory on {device.name}. Commits stay on the branch.</p>
            {details.isPending && <p className="text-muted">Checking for unsaved work …</p>}
            <UnsavedWork details={details.data} sessions={sessions.data ?? []} />
            {details.error && <Problem title="Could not check what it contains." error={details.error} />}
            {refusal && (
              <Note look="warn" title="The device refused to delete it.">
                <p className="wrap-anywhere">{refusal.message}</p>
              </Note>
            )}
            <label className="flex items-center gap-2">
              <input type="checkbox" name="deleteBranch" className="size-4" />
              Also delete its branch
            </label>
            {losesWork && (
              <Field
                label={`To permanently delete this work, type ${name}`}
                name="confirmation"
                pattern={escapeRegExp(name)}
                title={`The name of the workspace: ${name}`}
                autoComplete="off"
                spellCheck={false}
                required
              />
            )}
            {remove.error && <Problem title="Could not delete the workspace." error={remove.error} />}
            <div className="flex gap-2">
              <Button type="submit" look="danger" busy={remove.isPending || details.isPending}>
                {losesWork ? "Delete it with everything in it" : "Delete"}
              </Button>
              <Link
                to="/o/$organization/workspaces/$workspaceId"
                params={{ organization, workspaceId }}
                className={buttonClass("quiet")}
              >
                Keep it
              </Link>
            </div>
          </form>
        )}
      </div>
    </Page>
  );
}

/** Polls the command until it is settled. Undefined before it is sent. */
function useDeletionCommand(organizationId: string, id: string) {
  const command = useQuery(
    queries.agent.getCommand.queryOptions(
      { organizationId, id },
      {
        enabled: id !== "",
        refetchInterval: ({ state }) => (state.data && !isOpen(state.data.status) ? false : 700),
      },
    ),
  );
  return id === "" ? undefined : (command.data ?? "sent");
}

/** Escapes a text for the `pattern` attribute. */
const escapeRegExp = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
