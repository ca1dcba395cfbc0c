import type { AgentAnswer, AgentReportSessionInput } from "@grove/schemas";
import { type OpencodeEvent, writeScriptedOpencode } from "@grove/testing/scriptedOpencode";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { startSessionDevice, startTestSession } from "../../testing/session";
import { requireActivity } from "../activity/agentActivity";

type State = Extract<AgentReportSessionInput, { type: "state" }>;

const sessionID = "ses_1";
const status = (type: string, more: object = {}) => ({
  type: "session.status",
  properties: { sessionID, status: { type, ...more } },
});
const idle = { type: "session.idle", properties: { sessionID } };
const permission = {
  type: "permission.asked",
  properties: {
    id: "per_1",
    sessionID,
    permission: "bash",
    patterns: ["rm -rf build"],
    metadata: { command: "rm -rf build" },
    always: ["rm *"],
  },
};

/** A session of an agent that emits these events to its plugins. */
async function startScripted(events: OpencodeEvent[], env: Record<string, string> = {}) {
  const { device, workspace } = await startSessionDevice();
  const program = await writeScriptedOpencode(await temporaryDirectory());
  const agent = { command: [program, "--prompt={prompt}"], env };
  const session = await startTestSession(device, workspace.id, agent, JSON.stringify(events));
  const states = () =>
    device.test.sessionReports.filter(
      (report): report is State => report.type === "state" && report.id === session.id,
    );
  return {
    ...session,
    states: () => states().map(({ state, source }) => `${state} (${source})`),
    newest: () => states().at(-1),
    openRequest: () => until(() => states().at(-1)?.requests[0]),
    reached: (state: string) => until(() => states().at(-1)?.state === state),
    answer: (requestId: string, answer: AgentAnswer) =>
      requireActivity(device.sessions.registry.get(session.id)).answer(requestId, answer),
  };
}

it("opencode reports its turn, and the turns of subagents do not count", async () => {
  const subagent = { type: "session.created", properties: { info: { id: "ses_2", parentID: sessionID } } };
  const session = await startScripted([
    status("busy"),
    subagent,
    { type: "session.idle", properties: { sessionID: "ses_2" } },
    permission,
    idle,
  ]);
  await session.openRequest();
  expect(session.states()).not.toContain("done (hook)");
  await session.type("1");
  await session.reached("done");
});

it.each<[AgentAnswer, string]>([
  [{ decision: "allow", scope: "once" }, "once"],
  [{ decision: "allow", scope: "session" }, "always"],
  [{ decision: "deny" }, "reject"],
])("opencode's request is answered through its plugin: %j", async (answer, reply) => {
  const session = await startScripted([status("busy"), permission]);
  const request = await session.openRequest();
  expect(request).toMatchObject({
    kind: "permission",
    tool: "bash",
    title: "bash: rm -rf build",
    input: "rm -rf build",
    isAnswerable: true,
    scopes: ["once", "session"],
  });
  await session.answer(request.id, answer);
  await session.said(`reply {"id":"ses_1","permissionID":"per_1","response":"${reply}"}`);
  await session.reached("working");
});

it("a request that was answered in opencode's own prompt is no longer open", async () => {
  const session = await startScripted([status("busy"), permission]);
  const request = await session.openRequest();
  await session.type("1");
  await session.said("decided by key");
  await session.reached("working");
  await expect(session.answer(request.id, { decision: "deny" })).rejects.toMatchObject({
    reason: "request_gone",
  });
});

it("opencode's questions are shown, and answered in its terminal", async () => {
  const questions = [{ question: "Which?", header: "Kind", options: [{ label: "A", description: "" }] }];
  const asked = { type: "question.asked", properties: { id: "que_1", sessionID, questions } };
  const replied = {
    type: "question.replied",
    properties: { sessionID, requestID: "que_1", answers: [["A"]] },
  };
  const session = await startScripted([status("busy"), asked, permission, replied, { ...permission }]);
  const request = await session.openRequest();
  expect(request).toMatchObject({ kind: "question", title: "Which?", isAnswerable: false });
  await session.reached("needs_permission");
  await session.type("1");
  // The second permission alone: the question was replied to.
  await until(
    () =>
      session
        .newest()
        ?.requests.map(({ kind }) => kind)
        .join() === "permission",
  );
});

it("a limit and an error are reported", async () => {
  const next = Date.now() + 3_600_000;
  const limited = await startScripted([
    status("busy"),
    status("retry", { attempt: 1, message: "Slow down", next }),
  ]);
  await limited.reached("limited");
  expect(limited.newest()?.limitedUntil).toBe(new Date(next).toISOString());
  const open = await startScripted([status("busy"), status("retry", { next: "later" })]);
  await open.reached("limited");
  expect(open.newest()?.limitedUntil).toBeUndefined();
  const error = { type: "session.error", properties: { sessionID, error: { name: "APIError" } } };
  const failed = await startScripted([status("busy"), error]);
  await failed.reached("failed");
});

it("opencode gets no plugin where its environment already has a configuration", async () => {
  const session = await startScripted([idle], { OPENCODE_CONFIG_CONTENT: "{}" });
  await session.said(">");
  expect(session.states().join()).not.toContain("hook");
});
