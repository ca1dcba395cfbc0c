import { messageOf } from "@grove/schemas";
import { deviceTexts } from "../../components/deviceStates";
import { queries, queryClient } from "../../lib/api";
import { CommandFailed, runToolLater } from "../../lib/commands/deviceTools";
import { newId } from "../../lib/newId";
import { type Delegation, setDelegation } from "./delegationState";

/** Shown while a step's command is queued. This tab starts the agent, so it is needed until the workspace exists. */
const waiting = {
  workspace: `${deviceTexts.queued} Keep this tab open until then.`,
  agent: `${deviceTexts.queued} You can close this tab.`,
  done: "",
} satisfies Record<Delegation["step"], string>;

interface CommandProgress {
  status: string;
  progress: { message: string } | null;
}

/**
 * Creates a workspace for a task, then starts an agent in it. Writes each step and any failure to the query cache.
 * A failed delegation resumes with the step that failed.
 */
export async function runDelegation(from: Delegation): Promise<void> {
  const { order } = from;
  const { organizationId, device, taskId, projectId, request, agent, prompt } = order;
  const target = { organizationId, deviceId: device.id };
  let state = from;
  const set = (change: Partial<Delegation>) => {
    state = { ...state, ...change };
    setDelegation(state);
  };
  /** Shows the device's latest progress, or that the command is queued. */
  const onProgress = ({ status, progress }: CommandProgress) =>
    set({ progress: progress?.message ?? (status === "queued" ? waiting[state.step] : "") });
  // Makes the browser confirm before it closes the tab.
  const keepOpen = (event: BeforeUnloadEvent) => event.preventDefault();
  set({ error: undefined, progress: "" });
  try {
    if (state.workspaceId === undefined) {
      addEventListener("beforeunload", keepOpen);
      const params = { projectId, workspaces: [request] };
      const options = { idempotencyKey: state.keys.workspace, onProgress };
      const made = (await runToolLater(target, "create_workspace", params, options)).workspaces[0];
      if (made?.id === undefined) throw new CommandFailed({ status: "failed", error: made?.error ?? null });
      set({ step: "agent", progress: "", workspaceId: made.id });
      void queryClient.invalidateQueries(queries.workspace.list.pathFilter());
    }
    const params = { workspaceId: state.workspaceId ?? "", prompt, taskId, ...(agent && { agent }) };
    const options = { idempotencyKey: state.keys.agent, onProgress };
    const { sessionId } = await runToolLater(target, "start_agent_session", params, options);
    set({ step: "done", progress: "", sessionId });
    void queryClient.invalidateQueries(queries.agent.listSessions.pathFilter());
    void queryClient.invalidateQueries(queries.task.pathFilter());
  } catch (error) {
    const message = messageOf(error);
    if (!(error instanceof CommandFailed)) return set({ error: { reason: undefined, message } });
    // With the same key, the API would return the failed command again.
    const keys = { ...state.keys, [state.step]: newId() };
    set({ error: { reason: error.reason, message }, keys });
  } finally {
    removeEventListener("beforeunload", keepOpen);
  }
}
