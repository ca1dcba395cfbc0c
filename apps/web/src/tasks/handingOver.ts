import { queries, queryClient } from "../lib/api";
import { CommandFailed, runToolLater } from "../lib/deviceTools";
import { newId } from "../lib/newId";
import { type HandOver, setHandOver } from "./handOver";

/** This tab asks for the agent once the workspace is there. From then on, nothing needs the tab any more. */
const waiting = {
  workspace: "It begins as soon as the machine is there. Keep this tab open until then.",
  agent: "It begins as soon as the machine is there, also without this tab.",
  done: "",
} satisfies Record<HandOver["step"], string>;

interface Seen {
  status: string;
  progress: { message: string } | null;
}

/**
 * Makes a workspace for a task, then starts an agent in it. Every step is in the cache, also a failure. A state that
 * has failed goes on with the step that failed.
 */
export async function handOver(from: HandOver): Promise<void> {
  const { order } = from;
  const { organizationId, device, taskId, projectId, request, agent, prompt } = order;
  const target = { organizationId, deviceId: device.id };
  let state = from;
  const set = (change: Partial<HandOver>) => {
    state = { ...state, ...change };
    setHandOver(state);
  };
  /** A word of the device about a command, or that it waits for the device. */
  const onProgress = ({ status, progress }: Seen) =>
    set({ words: progress?.message ?? (status === "queued" ? waiting[state.step] : "") });
  // The browser asks before it closes the tab.
  const keepOpen = (event: BeforeUnloadEvent) => event.preventDefault();
  set({ error: undefined, words: "" });
  try {
    if (state.workspaceId === undefined) {
      addEventListener("beforeunload", keepOpen);
      const params = { projectId, workspaces: [request] };
      const options = { idempotencyKey: state.keys.workspace, onProgress };
      const made = (await runToolLater(target, "create_workspace", params, options)).workspaces[0];
      if (made?.id === undefined) throw new CommandFailed({ status: "failed", error: made?.error ?? null });
      set({ step: "agent", words: "", workspaceId: made.id });
      void queryClient.invalidateQueries(queries.workspace.list.pathFilter());
    }
    const params = { workspaceId: state.workspaceId ?? "", prompt, taskId, ...(agent && { agent }) };
    const options = { idempotencyKey: state.keys.agent, onProgress };
    const { sessionId } = await runToolLater(target, "start_agent_session", params, options);
    set({ step: "done", words: "", sessionId });
    void queryClient.invalidateQueries(queries.agent.listSessions.pathFilter());
    void queryClient.invalidateQueries(queries.task.pathFilter());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof CommandFailed)) return set({ error: { reason: undefined, message } });
    // A command that has ended would be answered again under its key.
    const keys = { ...state.keys, [state.step]: newId() };
    set({ error: { reason: error.reason, message }, keys });
  } finally {
    removeEventListener("beforeunload", keepOpen);
  }
}
