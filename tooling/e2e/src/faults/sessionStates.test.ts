import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ActivityState, AgentSession } from "@grove/schemas";
import { pick, seeded } from "@grove/testing/random";
import { type ScriptStep, scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { beforeAll, expect, it } from "vitest";
import type { DeviceMachine } from "./world/device";
import { useScene } from "./world/scene";

// The device's line leads to the first API process.
const scene = useScene(2);

/** Sessions for each fault. */
const SESSIONS = Number(process.env.STATE_SESSIONS ?? 8);
/** Sessions that run at the same time. */
const AT_A_TIME = 8;
/** A script of two turns takes about this long. */
const SCRIPT_MS = 1_500;
const random = seeded(5);
const isLikely = (probability: number) => random() < probability;

let device: DeviceMachine;
let workspaceId: string | undefined;

beforeAll(async () => {
  device = await scene.device("device");
  await device.connect();
  const project = await device.addWork("work", 1);
  scene.atEnd(() => project.work.release());
  const directory = await mkdtemp(join(scene.machine.temporary, "claude "));
  const command = [await writeScriptedClaude(directory), "--", "{prompt}"];
  const config = { agents: { claude: { command } }, maxSessions: AT_A_TIME };
  await writeFile(join(device.home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const { workspaces } = (await run("create_workspace", {
    projectId: project.id,
    workspaces: [{ name: "states" }],
  })) as { workspaces: { id: string }[] };
  workspaceId = workspaces[0]?.id;
});

async function run(tool: "create_workspace" | "start_agent_session" | "stop_agent_session", params: object) {
  const { organizationId } = scene.cloud;
  const given = { organizationId, deviceId: device.id, tool, params: { ...params } };
  const { result, error } = await scene.cloud.client().agent.execute.mutate(given);
  if (error) throw new Error(`${tool} failed: ${error.message}`);
  return result;
}

const toolUse = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t" };
const turn: ScriptStep[] = [
  { hook: ["PreToolUse", toolUse] },
  { hook: ["PostToolUse", { ...toolUse, tool_response: {} }] },
];
const prompt: ScriptStep = { hook: ["UserPromptSubmit", { prompt: "next" }] };

const shows = (state: ActivityState) => expect.objectContaining({ state, source: "hook" });
const interruption = expect.objectContaining({ reason: "interrupted" });

/** How a script ends: its last steps, and what the API must then show of the session. */
const endings: [steps: ScriptStep[], expected: object][] = [
  [[{ hook: ["Stop"] }], { status: "running", activity: shows("done") }],
  [[{ sleep: 3_600_000 }], { status: "running", activity: shows("working") }],
  [[{ ask: toolUse }], { status: "running", activity: shows("needs_permission") }],
  [[{ hook: ["StopFailure", { error: "rate_limit" }] }], { status: "running", activity: shows("limited") }],
  [[{ hook: ["StopFailure", { error: "server_error" }] }], { status: "running", activity: shows("failed") }],
  [[{ exit: 3 }], { status: "exited", exitCode: 3, activity: null }],
];

/** A session's script, and the state in which it must end. */
function planSession() {
  if (isLikely(0.2)) {
    const error = expect.objectContaining({ reason: "killed" });
    const killed = { status: "failed", activity: null, error };
    const steps: ScriptStep[] = [
      { killAfter: Math.floor(random() * SCRIPT_MS) },
      ...turn,
      { hook: ["Stop"] },
    ];
    return { steps, expected: killed };
  }
  const [last, expected] = pick(
    random,
    endings.map((ending) => [1, ending] as const),
  );
  const first: ScriptStep[] = isLikely(0.5) ? [...turn, { hook: ["Stop"] }, prompt] : [];
  return { steps: [...first, ...turn, ...last], expected };
}

/** The faults by name. One strikes while the sessions of a batch run. */
const faults: Record<string, () => Promise<unknown>> = {
  "the API is killed": async () => {
    await scene.cloud.first.kill();
    await scene.cloud.first.listen();
  },
  "the device is killed": async () => {
    await device.kill();
    await device.connect();
  },
  "the line is cut": async () => device.line.cut(),
  "connections to the database are cut": () => scene.cloud.cutDatabase(),
};

/** Reads the newest sessions through the API process that no fault kills. */
async function readSessions(): Promise<Map<string, AgentSession>> {
  const { organizationId, instances, person } = scene.cloud;
  const sessions = await person(instances[1]).agent.listSessions.query({ organizationId, limit: AT_A_TIME });
  return new Map(sessions.map((session) => [session.id, session]));
}

interface Planned {
  id: string;
  /** The session must end in one of these states. */
  expected: object[];
}

const expectStates = (sessions: Map<string, AgentSession>, planned: readonly Planned[]) => {
  for (const { id, expected } of planned)
    expect(expected.map((state) => expect.objectContaining(state))).toContainEqual(sessions.get(id));
};

/** Starts sessions, lets a fault strike at a random time, and expects each session to end in its own last state. */
async function runBatch(fault: string): Promise<void> {
  const planned = await Promise.all(
    Array.from({ length: AT_A_TIME }, async (): Promise<Planned> => {
      const { steps, expected } = planSession();
      const params = { workspaceId, agent: "claude", prompt: scripted(...steps) };
      const { sessionId: id } = (await run("start_agent_session", params)) as { sessionId: string };
      if (fault !== "the device is killed") return { id, expected: [expected] };
      const interrupted = { status: "failed", activity: null, error: interruption };
      // An agent that has ended before the device agent is reported as it ended.
      return {
        id,
        expected: "activity" in expected && expected.activity ? [interrupted] : [expected, interrupted],
      };
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, random() * SCRIPT_MS));
  await faults[fault]?.();
  await expect
    .poll(async () => expectStates(await readSessions(), planned), { timeout: 120_000 })
    .toBeUndefined();
  // A late report changes none of them.
  await device.untilReached();
  const sessions = await readSessions();
  expectStates(sessions, planned);
  for (const { id } of planned)
    if (sessions.get(id)?.status === "running") await run("stop_agent_session", { sessionId: id });
}

it.each(Object.keys(faults))(
  "when %s, each session ends in the state that its agent was in",
  async (fault) => {
    for (let ended = 0; ended < SESSIONS; ended += AT_A_TIME) await runBatch(fault);
  },
);
