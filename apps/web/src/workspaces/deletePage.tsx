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
import { Forget } from "./forget";
import { removalOf } from "./removal";
import { Unsaved } from "./unsaved";
import { useWorkspace } from "./useWorkspace";
import { isOpen } from "./words";

const route = getRouteApi("/signed-in/o/$organization/workspaces/$workspaceId/delete");

/** Deletes a workspace: lists what would be lost, and asks for its name before anything is. */
export function DeletePage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { workspaceId } = route.useParams();
  const navigate = useNavigate();
  const [commandId, setCommandId] = useState("");
  const [isForgetting, setForgetting] = useState(false);
  const remove = useMutation(
    queries.agent.execute.mutationOptions({ onSuccess: ({ id }) => setCommandId(id) }),
  );
  const outcome = removalOf(useSettled(organizationId, commandId));
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
            title="This workspace cannot be shown."
            error={workspace.error}
            onRetry={() => void workspace.refetch()}
          />
        )}
        {workspace.data && devices.data && !isOnline && (
          <Forget workspace={workspace.data} device={device} onForgetting={setForgetting} />
        )}
        {isOnline && outcome === "open" && (
          <div role="status" className="flex flex-col gap-2">
            <p>The device deletes it.</p>
            <Progress label="Progress" fraction={null} />
          </div>
        )}
        {isOnline && outcome !== "open" && outcome !== "removed" && (
          <form onSubmit={submit} className="flex flex-col gap-5">
            <p>Its directory goes from the disk of {device.name}. What is committed stays on its branch.</p>
            {details.isPending && <p className="text-muted">Looking for work that is not saved …</p>}
            <Unsaved details={details.data} sessions={sessions.data ?? []} />
            {details.error && <Problem title="What is in it cannot be told." error={details.error} />}
            {refusal && (
              <Note look="warn" title="The device keeps it for now.">
                <p className="wrap-anywhere">{refusal.message}</p>
              </Note>
            )}
            <label className="flex items-center gap-2">
              <input type="checkbox" name="deleteBranch" className="size-4" />
              Delete its branch, too
            </label>
            {losesWork && (
              <Field
                label={`To lose this work for good, type ${name}`}
                name="confirmation"
                pattern={escaped(name)}
                title={`The name of the workspace: ${name}`}
                autoComplete="off"
                spellCheck={false}
                required
              />
            )}
            {remove.error && <Problem title="It was not deleted." error={remove.error} />}
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

/** The command, followed until it is settled; undefined before there is one. */
function useSettled(organizationId: string, id: string) {
  const command = useQuery(
    queries.agent.getCommand.queryOptions(
      { organizationId, id },
      {
        enabled: id !== "",
        refetchInterval: ({ state }) => (state.data && !isOpen(state.data.status) ? false : 700),
      },
    ),
  );
  return id === "" ? undefined : (command.data ?? "asked");
}

/** A text as a regular expression that matches nothing else, for `pattern`. */
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
