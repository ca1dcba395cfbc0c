import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { AgentField, AgentNotes, PromptField } from "../components/agentFields";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { CommandFailed, runTool } from "../lib/deviceTools";
import { newId } from "../lib/newId";
import { takePendingQuote } from "../lib/pendingQuote";
import { Button, buttonClass } from "../ui/button";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Select } from "../ui/select";
import { VisibleName } from "../ui/visibleName";

const route = getRouteApi("/signed-in/o/$organization/agents/new");

export function NewAgentPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { workspace: chosen, agent: given = "", task: taskId } = route.useSearch();
  const navigate = useNavigate();
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const [picked, setPicked] = useState<string>();
  const [agent, setAgent] = useState(given);
  const [prompt, setPrompt] = useState(() => takePendingQuote(chosen) ?? "");
  // A retry after a lost response has the same key, so it does not start a second agent.
  const [idempotencyKey, setIdempotencyKey] = useState(() => newId());
  const renewKey = () => setIdempotencyKey(newId());
  const workspaceId = picked ?? chosen ?? workspaces.data?.[0]?.id ?? "";
  const workspace = workspaces.data?.find(({ id }) => id === workspaceId);
  const deviceId = workspace?.deviceId ?? "";
  const device = devices.data?.find(({ id }) => id === deviceId);
  const task = useQuery({
    ...queries.task.get.queryOptions({ organizationId, id: taskId ?? "" }),
    enabled: taskId !== undefined,
  }).data;
  const isOnline = device?.status === "online";
  const start = useMutation({
    mutationFn: () =>
      runTool(
        { organizationId, deviceId },
        "start_agent_session",
        { workspaceId, prompt, ...(agent && { agent }), ...(taskId && { taskId }) },
        { idempotencyKey },
      ),
    onSuccess: async ({ sessionId }) => {
      await queryClient.invalidateQueries(queries.agent.listSessions.pathFilter());
      await navigate({ to: "/o/$organization/agents/$sessionId", params: { organization, sessionId } });
    },
    // With the same key, the API would return the failed command again. A pending command keeps its key, so that it
    // does not run twice.
    onError: (error) => {
      if (error instanceof CommandFailed && error.reason !== "command_pending") renewKey();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    start.mutate();
  };
  if (workspaces.data?.length === 0) return <NoWorkspaces organization={organization} />;
  return (
    <Page title="Start an agent">
      <form onSubmit={submit} className="flex max-w-3xl flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Select
            label="Workspace"
            value={workspaceId}
            onChange={(id) => {
              setPicked(id);
              setAgent("");
              renewKey();
            }}
            options={(workspaces.data ?? []).map(({ id, name }) => ({ value: id, title: name }))}
          />
          <AgentField
            device={device}
            value={agent}
            onChange={(name) => {
              setAgent(name);
              renewKey();
            }}
          />
        </div>
        {devices.data && workspace && !isOnline && (
          <Note
            look="warn"
            title={device ? `${device.name} is offline.` : "The device of this workspace is not available."}
          >
            <p>You can start an agent when the workspace's machine is online.</p>
          </Note>
        )}
        {task && (
          <p className="text-muted">
            The agent works on the task{" "}
            <Link
              to="/o/$organization/tasks/$task"
              params={{ organization, task: task.slug }}
              className="wrap-anywhere text-accent underline"
            >
              <VisibleName>{task.title}</VisibleName>
            </Link>
            .
          </p>
        )}
        <AgentNotes device={device} />
        <PromptField
          value={prompt}
          onChange={(text) => {
            setPrompt(text);
            renewKey();
          }}
          autoFocus
        />
        {start.error && <Problem title="Could not start the agent." error={start.error} />}
        <div className="flex gap-2">
          <Button type="submit" look="primary" busy={start.isPending} disabled={!isOnline}>
            {start.isPending ? "Starting …" : "Start the agent"}
          </Button>
          <Link to="/o/$organization/agents" params={{ organization }} className={buttonClass("quiet")}>
            Cancel
          </Link>
        </div>
      </form>
    </Page>
  );
}

const NoWorkspaces = ({ organization }: { organization: string }) => (
  <Page title="Start an agent">
    <Note title="Make a workspace first">
      <p>An agent works in a workspace, and this organization has none yet.</p>
      <Link
        to="/o/$organization/workspaces/new"
        params={{ organization }}
        className={`mt-2 ${buttonClass("primary")}`}
      >
        Make a workspace
      </Link>
    </Note>
  </Page>
);
