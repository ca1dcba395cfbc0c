import { randomBytes, randomInt } from "node:crypto";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@grove/client";
import { startFloors } from "../attention/floors";
import { startPushService } from "../attention/pushService";
import { startSession } from "../attention/session";
import { watch } from "../attention/watcher";
import type { Benchmark, Context, Row } from "../benchmark";
import { signUpTo, startApi } from "../grove";
import { query, startDurablePostgres } from "../postgres";
import { quantile } from "../stats";

const ROUNDS = 60;
const WARM_UP = 5;
/** Longer than the pause between two reads of a watched organization, so that changes occur at every part of it. */
const MAX_PAUSE_MS = 500;

/** Two API processes, the device at the first and a person with a console at the second. */
async function startScene({ scope, flushMs }: Context) {
  const postgres = await startDurablePostgres(scope, flushMs);
  const databaseUrl = await postgres.createDatabase();
  const push = await startPushService(scope);
  const variables = {
    CREDENTIALS_KEY: `1:${randomBytes(32).toString("base64")}`,
    PUSH_HOSTS: push.host,
    PRIVATE_PROVIDER_HOSTS: push.host,
  };
  const [first, second] = [
    await startApi(scope, databaseUrl, variables),
    await startApi(scope, databaseUrl, variables),
  ];
  const grove = await signUpTo(first);
  const { organizationId } = grove;
  const person = createClient({ apiUrl: second.url, token: grove.sessionToken });
  await person.user.subscribePush.mutate(push.subscription);
  await person.user.setNotificationRules.mutate({
    organizationId,
    rules: [{ channel: "push", kinds: ["needs_input"] }],
  });
  const runHook = await startSession(scope, grove);
  const console = await watch(scope, person, organizationId);
  const floors = await startFloors(scope, databaseUrl, push.host);
  return { postgres, databaseUrl, organizationId, person, runHook, console, push, floors };
}

type Scene = Awaited<ReturnType<typeof startScene>>;

const measures = {
  hook: "a hook of a tool call, from its start to its end",
  state: "the start of a hook with a new state → the console at the other API process",
  request: "the start of a hook with a request → the console at the other API process",
  push: "the start of a hook with a request → the push service",
  answer: "an answer at the other API process → printed by the hook, which has ended",
} as const;
type Measure = keyof typeof measures;
/** The bar for the 95th percentile, in milliseconds. */
const aims: Record<Measure, number> = { hook: 60, state: 1_000, request: 1_000, push: 2_000, answer: 300 };

type Times = [Measure, number][];

const pause = () => sleep(randomInt(MAX_PAUSE_MS));

/** Runs a hook, and waits until the console shows the state that it reports. */
async function reach({ runHook, console }: Scene, state: string, event: string): Promise<Times> {
  const reached = console.next(
    (change) => (change.type === "session" && change.session.activity?.state === state) || undefined,
  );
  const began = performance.now();
  const [{ at }] = await Promise.all([reached, runHook(event, { prompt: "Continue." })]);
  await pause();
  return [["state", at - began]];
}

/** Runs the hook of a request, and answers it at the other process once people know of it. */
async function request(scene: Scene, tool: object, title: string): Promise<Times> {
  const { runHook, console, push, person, organizationId } = scene;
  const pushed = push.next();
  const requested = console.next((change) =>
    change.type === "request" && change.request.title === title && change.request.isAnswerable
      ? change.request
      : undefined,
  );
  const askedAt = performance.now();
  const printed = runHook("PermissionRequest", tool).then(({ output }) => ({
    output,
    at: performance.now(),
  }));
  const [shown, pushedAt] = await Promise.all([requested, pushed]);
  await pause();
  const answeredAt = performance.now();
  const answer = { decision: "allow", scope: "once" } as const;
  const { delivery } = await person.agent.answerRequest.mutate({
    organizationId,
    id: shown.found.id,
    answer,
  });
  const { output, at } = await printed;
  if (delivery !== "delivered" || !output.includes('"allow"'))
    throw new Error(`The delivery of an answer is ${delivery}. The hook printed ${JSON.stringify(output)}.`);
  await pause();
  return [
    ["request", shown.at - askedAt],
    ["push", pushedAt - askedAt],
    ["answer", at - answeredAt],
  ];
}

/** A turn of an agent that requests permission once. */
async function runTurn(scene: Scene, number: number): Promise<Times> {
  const command = `make ${number}`;
  const tool = { tool_name: "Bash", tool_input: { command } };
  const works = await reach(scene, "working", "UserPromptSubmit");
  const { ms } = await scene.runHook("PreToolUse", tool);
  const requested = await request(scene, tool, `Bash: ${command}`);
  return [...works, ["hook", ms], ...requested, ...(await reach(scene, "done", "Stop"))];
}

/** A user gets 20 pushes an hour, so earlier ones are moved out of this hour. */
const forgetPushes = (databaseUrl: string) =>
  query(databaseUrl, "update notification_outbox set sent_at = sent_at - interval '1 hour'");

const rowsOf = (floors: Record<Measure, number[] | undefined>, groves: Record<Measure, number[]>): Row[] =>
  (Object.keys(measures) as Measure[]).flatMap((measure) =>
    [0.5, 0.95].map((q): Row => {
      const [floor, grove] = [quantile(floors[measure] ?? [], q), quantile(groves[measure], q)];
      return {
        measure: `${measures[measure]}: p${q * 100} ms`,
        floor,
        grove,
        ratio: grove / floor,
        ...(q === 0.95 && { aim: { of: "grove", atMost: aims[measure] } }),
      };
    }),
  );

export const attention: Benchmark = {
  name: "attention",
  summary: "what an agent's hooks add to its work, and how soon people learn of a request and answer it",
  async run(context) {
    const { rounds = ROUNDS, progress } = context;
    progress("starting PostgreSQL, two API processes, a device and an agent");
    const scene = await startScene(context);
    const load = loadavg()[0] ?? Number.NaN;
    const nothing = (): Record<Measure, number[]> => ({
      hook: [],
      state: [],
      request: [],
      push: [],
      answer: [],
    });
    const [groves, node, notify, post] = [nothing(), [] as number[], [] as number[], [] as number[]];
    for (let round = 1 - WARM_UP; round <= rounds; round++) {
      progress(`turn ${round} of ${rounds}`);
      const times = await runTurn(scene, round + WARM_UP);
      const floor = [await scene.floors.node(), await scene.floors.notify(), await scene.floors.post()];
      await forgetPushes(scene.databaseUrl);
      if (round < 1) continue;
      for (const [measure, ms] of times) groves[measure].push(ms);
      for (const [index, list] of [node, notify, post].entries()) list.push(floor[index] ?? Number.NaN);
    }
    return {
      title: "hooks of a session on a device at one API process, a person at another",
      rows: rowsOf({ hook: node, state: notify, request: notify, push: post, answer: notify }, groves),
      notes: [
        `${scene.postgres.version}, fsync on. ${rounds} turns of an agent; a load average of ${load.toFixed(1)} at the start and ${(loadavg()[0] ?? Number.NaN).toFixed(1)} at the end.`,
        "Floors: `node -e 0`; a bare NOTIFY from one connection to another; a bare POST on this machine.",
      ],
    };
  },
};
