import type { Inputs } from "@grove/client";
import type { Tenant } from "@grove/test-api";
import { ask, onlineDevice, orchard } from "./tool";

type StateReport = Extract<Inputs["agent"]["reportSession"], { type: "state" }>;
type Request = StateReport["requests"][number];

export const question = (label: string) => ({
  question: `Which ${label}?`,
  header: label,
  multiSelect: false,
  options: [{ label: "A", description: "The first" }],
});

/** A request as an agent's hooks report it. */
export const asked = (fields: Partial<Request> = {}): Request => ({
  id: crypto.randomUUID(),
  kind: "permission",
  tool: "Bash",
  title: "Bash: rm -rf build",
  input: "rm -rf build",
  questions: [],
  isAnswerable: true,
  scopes: ["once"],
  ageMs: 0,
  ...fields,
});

/** A running session that the tenant's key has started, on a device whose agents report by hooks. */
export async function sessionWithHooks(tenant: Tenant) {
  const { device, asked: commands } = await onlineDevice(tenant, async ({ id, tool, params }, device) => {
    if (tool !== "start_agent_session") return { result: { success: true } };
    const session = await device.beginSession(`${params.workspaceId}`, id);
    report = session.report;
    return { result: { sessionId: session.id, agent: "claude", pid: 7 } };
  });
  let report: Awaited<ReturnType<typeof device.beginSession>>["report"] | undefined;
  const workspaceId = await device.makeWorkspace(tenant.organizationId, orchard);
  const { data } = await ask(tenant, "start_agent_session", {
    deviceId: device.id,
    workspaceId,
    prompt: "do it",
  });
  const id = `${data?.sessionId}`;
  let number = 0;
  /** Reports what the agent does. */
  const state = async (state: StateReport["state"], more: Partial<StateReport> = {}) =>
    report?.({
      type: "state",
      id,
      number: ++number,
      state,
      source: "hook",
      ageMs: 0,
      requests: [],
      ...more,
    });
  const end = async () => report?.({ type: "end", id, status: "exited", exitCode: 0 });
  const waiting = async (waitingForInput: boolean) => report?.({ type: "waiting", id, waitingForInput });
  const answers = () => commands.filter(({ tool }) => tool === "answer_agent_request");
  return { id, state, end, waiting, answers };
}
