import { toError } from "@grove/schemas";
import { skipToken, useQuery } from "@tanstack/react-query";
import { queries, queryClient } from "../../lib/api";
import { awaitSettled } from "../../lib/commands/commandQuery";
import { runToolLater } from "../../lib/commands/deviceTools";
import { newId } from "../../lib/newId";
import { itemsOf } from "./workspaceCreation";

/** The agent to start in each workspace that a command creates. */
export interface AgentStartRequest {
  organizationId: string;
  deviceId: string;
  /** The command that creates the workspaces. */
  commandId: string;
  /** "" for the device's default agent. */
  agent: string;
  /** "" for none. */
  prompt: string;
}

/** The agent of one workspace: starting, started, or failed. */
export interface AgentStart {
  request: AgentStartRequest;
  workspaceId: string;
  /** Reused until the start fails, so that a retry after a lost response starts no second agent. */
  idempotencyKey: string;
  sessionId?: string;
  error?: Error;
}

const keyOf = (commandId: string) => ["agentStarts", commandId];

/** The agents that this tab starts in a command's workspaces; undefined if it starts none. */
export const useAgentStarts = (commandId: string): AgentStart[] | undefined =>
  useQuery<AgentStart[]>({
    queryKey: keyOf(commandId),
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  }).data;

const getStarts = (commandId: string) => queryClient.getQueryData<AgentStart[]>(keyOf(commandId)) ?? [];

function setStart(start: AgentStart): void {
  const { commandId } = start.request;
  const others = getStarts(commandId).filter(({ workspaceId }) => workspaceId !== start.workspaceId);
  queryClient.setQueryData<AgentStart[]>(keyOf(commandId), [...others, start]);
}

/**
 * Waits until a command has created its workspaces, then starts an agent in each. This tab does that, so the browser
 * asks before it is closed.
 */
export async function startAgentsWhenCreated(request: AgentStartRequest): Promise<void> {
  const { organizationId, commandId: id } = request;
  queryClient.setQueryData<AgentStart[]>(keyOf(id), []);
  const confirmClosing = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener("beforeunload", confirmClosing);
  try {
    const command = await awaitSettled(organizationId, id);
    const created = itemsOf(command).flatMap(({ made }) => made?.id ?? []);
    await Promise.all(
      created.map((workspaceId) => startAgent({ request, workspaceId, idempotencyKey: newId() })),
    );
  } catch {
    // The page then offers to start the agents by hand.
    queryClient.removeQueries({ queryKey: keyOf(id) });
  } finally {
    removeEventListener("beforeunload", confirmClosing);
  }
}

/** Starts an agent in a workspace, or tries again. */
export async function startAgent({ request, workspaceId, idempotencyKey }: AgentStart): Promise<void> {
  const { organizationId, deviceId, agent, prompt } = request;
  const params = { workspaceId, ...(agent && { agent }), ...(prompt && { prompt }) };
  setStart({ request, workspaceId, idempotencyKey });
  try {
    const target = { organizationId, deviceId };
    const { sessionId } = await runToolLater(target, "start_agent_session", params, { idempotencyKey });
    setStart({ request, workspaceId, idempotencyKey, sessionId });
    void queryClient.invalidateQueries(queries.agent.listSessions.pathFilter());
  } catch (error) {
    const failure = toError(error);
    setStart({ request, workspaceId, idempotencyKey: newId(), error: failure });
  }
}
