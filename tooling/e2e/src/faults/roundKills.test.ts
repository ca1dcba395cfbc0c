import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ReviewRound } from "@grove/schemas";
import { type ScriptStep, scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { createRepository } from "../support/repository";
import type { ApiInstance } from "./world/cloud";
import type { DeviceMachine } from "./world/device";
import { suspendTree } from "./world/processTree";
import { useScene } from "./world/scene";

/** How often processes are killed at each of the eight points. */
const KILLS = Number(process.env.ROUND_KILLS ?? 1);
const TIMEOUT_MS = 120_000 + KILLS * 60_000;
/** Within this time, a round passes every point at which a fault does not stop it. */
const PASSED_MS = 15_000;

/** The points at which a process is killed while a round is delivered, in their order. */
const points = [
  "the round was sent",
  "the round was stored",
  "the device was given the round",
  "the agent has the round",
] as const;
type Point = (typeof points)[number];

// The first API process is never killed. Each point has another one, since the tests run side by side.
const scene = useScene(1 + points.length);

/** A workspace in which an agent waits for prompts, and takes each as a turn. */
async function startReviewed(name: string, instance?: ApiInstance) {
  const { cloud, machine } = scene;
  const { organizationId } = cloud;
  const device = await scene.device(name, { hasShortPauses: true, ...(instance && { instance }) });
  const repository = await createRepository(machine, `repository of ${name}`);
  const directory = await mkdtemp(join(machine.temporary, "claude "));
  const record = join(directory, "record");
  await writeFile(`${record}.prompts`, "");
  const command = [await writeScriptedClaude(directory), "--", "{prompt}"];
  const agents = { claude: { command, env: { SCRIPTED_CLAUDE_RECORD: record } } };
  await writeFile(join(device.home, "config.json"), JSON.stringify({ agents }), { mode: 0o600 });
  await device.connect();
  const { id: projectId } = await device.addProject(repository.path);
  const run = async (tool: "create_workspace" | "start_agent_session", params: Record<string, unknown>) => {
    const given = { organizationId, deviceId: device.id, tool, params, ifOffline: "queue" as const };
    const { result, error } = await cloud.client().agent.execute.mutate(given);
    if (error) throw new Error(`${tool} failed: ${error.message}`);
    return result as { workspaces: { id: string }[]; sessionId: string };
  };
  const { workspaces } = await run("create_workspace", { projectId, workspaces: [{ name: "reviewed" }] });
  const workspaceId = workspaces[0]?.id ?? "";
  const [change] = await cloud.person().workspace.change.list.query({ organizationId, workspaceId });
  const head = (await repository.git("rev-parse", "main")).trim();
  return {
    device,
    change: { organizationId, changeId: change?.id ?? "" },
    head,
    startSession: async () => {
      const turn: ScriptStep[] = [{ hook: ["Stop"] }, { prompt: true }];
      const prompt = scripted(...Array.from({ length: KILLS + 1 }, () => turn).flat());
      return (await run("start_agent_session", { workspaceId, agent: "claude", prompt })).sessionId;
    },
    /** How often the agent got a prompt with this text. */
    received: async (text: string) =>
      (await readFile(`${record}.prompts`, "utf8")).split("\n").filter((line) => line.includes(text)).length,
  };
}

type Reviewed = Awaited<ReturnType<typeof startReviewed>>;

const untilDone = (id: string) =>
  until(async () => {
    const { organizationId } = scene.cloud;
    const session = await scene.cloud.person().agent.getSession.query({ organizationId, id });
    return session.activity?.state === "done";
  }, `session ${id} is done`);

/** The round that has this comment; undefined if it was never stored. */
async function roundOf({ change }: Reviewed, commentId: string): Promise<ReviewRound | undefined> {
  const { comments, rounds } = await scene.cloud.person().workspace.review.list.query(change);
  const roundId = comments.find(({ id }) => id === commentId)?.roundId;
  return rounds.find(({ id }) => id === roundId);
}

/** Sends a comment as a round, and kills a process when its delivery has reached a point. */
async function sendAndKill(
  reviewed: Reviewed,
  { text, sessionId, point }: { text: string; sessionId: string; point: Point },
  instance: ApiInstance,
  kill: () => Promise<unknown>,
) {
  const { change, head, received } = reviewed;
  const id = randomUUID();
  const { review } = scene.cloud.person(instance).workspace;
  await review.save.mutate({ ...change, id, anchor: { point: head }, body: text });
  const sent = review.send.mutate({ ...change, ids: [id], sessionId }).catch(() => undefined);
  const isTrue = async (condition: string) =>
    (
      await scene.cloud.query(
        `select from review_comments join review_rounds on review_rounds.id = review_comments.round_id
         left join device_commands on device_commands.id = review_rounds.command_id
         where review_comments.id = $1 and ${condition}`,
        [id],
      )
    ).length > 0;
  const hasReached = {
    "the round was sent": () => true,
    "the round was stored": () => isTrue("true"),
    "the device was given the round": () => isTrue("device_commands.status <> 'queued'"),
    "the agent has the round": async () => (await received(text)) > 0,
  }[point];
  const end = performance.now() + PASSED_MS;
  // Without a pause, since the next point is passed a moment later.
  while (!(await hasReached()) && performance.now() < end) await nextTurn();
  await kill();
  await sent;
  return until(async () => {
    const round = await roundOf(reviewed, id);
    return round?.status === "queued" ? undefined : { round };
  }, `the round of ${text} is settled`);
}

/** Expects that a round shows whether the agent got it. */
async function expectTrue({ received }: Reviewed, text: string, round: ReviewRound | undefined) {
  const times = await received(text);
  if (round?.status === "delivered") expect(times, `${text} is delivered`).toBe(1);
  else if (round?.status === "unknown") expect(times, `${text} is unknown`).toBeLessThanOrEqual(1);
  else expect(times, `${text} is ${round?.status ?? "not stored"}`).toBe(0);
}

it.concurrent.each(points)(
  "an agent gets a round once when the API process of caller and device is killed after %s",
  async (point) => {
    const killed = scene.cloud.instances[1 + points.indexOf(point)];
    if (!killed) throw new Error(`There is no API process for ${point}.`);
    const reviewed = await startReviewed(`api killed after ${point}`, killed);
    const sessionId = await reviewed.startSession();
    for (let n = 1; n <= KILLS; n++) {
      await untilDone(sessionId);
      const text = `comment ${n}, ${point}`;
      const { round } = await sendAndKill(reviewed, { text, sessionId, point }, killed, async () => {
        await killed.kill();
        await killed.listen();
      });
      // The device agent ran throughout, so it knows whether the agent got the round.
      expect(["delivered", "failed", undefined]).toContain(round?.status);
      await expectTrue(reviewed, text, round);
      await reviewed.device.untilReached();
    }
  },
  TIMEOUT_MS,
);

it.concurrent.each(points)(
  "an agent gets a round at most once when the device agent is killed after %s",
  async (point) => {
    const reviewed = await startReviewed(`device killed after ${point}`);
    const { device } = reviewed;
    for (let n = 1; n <= KILLS; n++) {
      // A session ends with its device agent.
      const sessionId = await reviewed.startSession();
      await untilDone(sessionId);
      const text = `comment ${n}, ${point}`;
      const restart = (machine: DeviceMachine) => machine.kill().then(() => machine.start());
      const { round } = await sendAndKill(reviewed, { text, sessionId, point }, scene.cloud.first, () =>
        restart(device),
      );
      await expectTrue(reviewed, text, round);
      await device.untilReached();
    }
  },
  TIMEOUT_MS,
);

it.concurrent(
  "an agent gets a round once that is sent while its machine sleeps, and none that expires before it wakes",
  async () => {
    const reviewed = await startReviewed("asleep");
    const { device } = reviewed;
    const sessionId = await reviewed.startSession();
    const sendAsleep = async (text: string, isLong: boolean) => {
      await untilDone(sessionId);
      const wake = await suspendTree(device.pid);
      scene.atEnd(wake);
      if (isLong) {
        device.line.close();
        await device.untilStatus("offline");
      }
      const sent = { text, sessionId, point: "the round was stored" as const };
      const { round } = await sendAndKill(reviewed, sent, scene.cloud.first, async () => {
        if (isLong)
          await scene.cloud.query(
            "update device_commands set queue_expires_at = now() where device_id = $1 and status = 'queued'",
            [device.id],
          );
        device.line.open();
        wake();
      });
      await device.untilReached();
      await expectTrue(reviewed, text, round);
      return round;
    };
    expect(await sendAsleep("short sleep", false)).toMatchObject({ status: "delivered" });
    const expired = await sendAsleep("long sleep", true);
    expect(expired).toMatchObject({ status: "failed", reason: "queue_expired" });
  },
  TIMEOUT_MS,
);
