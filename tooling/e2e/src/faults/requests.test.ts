import { errorData } from "@grove/client";
import type { AgentAnswer, AgentRequest } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { startAsking } from "./world/asking";
import type { ApiInstance } from "./world/cloud";
import { seeded } from "./world/random";
import { useScene } from "./world/scene";

// The device's line leads to the first API process; callers use both.
const scene = useScene(2);

/** Races that end in the agent's hook. `requestRaces.test.ts` has more, without an agent. */
const RACES = 16;
const KILLS = Number(process.env.REQUEST_KILLS ?? 8);
const random = seeded(7);
const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));

/** The points at which a fault strikes: when the answer is sent, stored, given to the device, printed by the hook. */
const points = (id: string, isDecided: () => Promise<boolean>) => {
  const { cloud } = scene;
  const row = async (condition: string) =>
    (
      await cloud.query(
        `select from agent_requests left join device_commands on device_commands.id = command_id
         where agent_requests.id = $1 and ${condition}`,
        [id],
      )
    ).length > 0;
  return [
    async () => {},
    () => until(() => row("agent_requests.status = 'answered'")),
    () => until(() => row("device_commands.status <> 'queued'")),
    () => until(isDecided),
  ];
};

/** The answer of a caller: callers of one round can be told apart by it. */
const answerOf = (round: number, caller: number): AgentAnswer => ({
  decision: "deny",
  message: `${round} by ${caller}`,
});

it("of several callers on two processes one answers, and every other gets the name of the user who did", async () => {
  const { cloud } = scene;
  const asking = await startAsking(scene, RACES);
  for (let round = 1; round <= RACES; round++) {
    const { id } = await asking.asked(round);
    const callers = Array.from({ length: between(2, 8) }, (_, caller) => caller);
    const outcomes = await Promise.allSettled(
      callers.map((caller) => asking.answer(cloud.instances[caller % 2], id, answerOf(round, caller))),
    );
    const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
    for (const [caller, outcome] of outcomes.entries())
      if (outcome.status === "rejected")
        expect(errorData(outcome.reason)).toMatchObject({
          reason: "already_answered",
          details: { userId: cloud.userId, decision: "deny" },
        });
      else expect(caller).toBe(winner);
    const isGone = async () =>
      (await asking.list()).find((request) => request.id === id)?.delivery === "gone";
    const isDecided = async () => (await asking.decisions()).length === round;
    await until(async () => (await isDecided()) || (await isGone()), `round ${round} is decided`);
    // On a machine that was too busy, the hook gave up before it had the answer, and the row shows that.
    if (!(await isDecided())) await asking.typeNo();
    await until(isDecided, `round ${round} is decided in the terminal`);
    const decision = (await asking.decisions()).at(-1);
    if (decision?.key === undefined)
      expect(decision).toEqual({ behavior: "deny", message: `${round} by ${winner}` });
  }
});

it("an answer is delivered once when processes are killed, and the row shows that it was", async () => {
  const { cloud } = scene;
  const asking = await startAsking(scene, KILLS);
  const restart = async (instance: ApiInstance | undefined) => {
    await instance?.kill();
    await instance?.listen();
  };
  const faults = [
    () => restart(cloud.instances[0]),
    () => restart(cloud.instances[1]),
    async () => asking.device.line.cut(),
    cloud.cutDatabase,
  ];
  const deliveries: AgentRequest["delivery"][] = [];
  for (let round = 1; round <= KILLS; round++) {
    const { id } = await asking.asked(round);
    const isDecided = async () => (await asking.decisions()).length >= round;
    const point = points(id, isDecided)[Math.floor((round - 1) / faults.length) % 4];
    const answered = asking
      .answer(cloud.instances[between(0, 1)], id, answerOf(round, 1))
      .catch(() => undefined);
    await Promise.all([point?.().then(faults[round % faults.length]), answered]);
    // A caller whose call failed reads the request, and answers again if it is still open.
    const isOpen = async () => (await asking.list()).find((request) => request.id === id)?.status === "open";
    if (await isOpen()) await asking.answer(cloud.first, id, answerOf(round, 1));
    const settled = await asking.settled(id);
    deliveries.push(settled);
    // The device was too slow, so the hook gave up; the row shows that, and the agent's own prompt is still open.
    if (settled === "gone") await asking.typeNo();
    await until(isDecided, `round ${round}, whose answer is ${settled}, is decided`);
  }
  const decisions = await asking.decisions();
  expect(decisions).toHaveLength(KILLS);
  for (const [index, decision] of decisions.entries())
    if (deliveries[index] === "gone") expect(decision).toMatchObject({ behavior: "deny", key: "2" });
    else expect(decision).toEqual({ behavior: "deny", message: `${index + 1} by 1` });
  expect(deliveries).toContain("delivered");
  expect(deliveries).not.toContain("failed");
});

it.each([0, 1, 2, 3])(
  "after the device was killed at point %i, the row claims nothing untrue",
  async (at) => {
    const { cloud } = scene;
    const asking = await startAsking(scene, 2);
    const { id } = await asking.asked(1);
    const answered = asking.answer(cloud.first, id, answerOf(1, 1)).catch(() => undefined);
    await points(id, async () => (await asking.decisions()).length > 0)[at]?.();
    await asking.device.kill();
    await answered;
    await asking.device.connect();
    const row = await until(async () => {
      const found = (await asking.list()).find((request) => request.id === id);
      return found && found.status !== "open" && found.delivery !== "pending" ? found : undefined;
    }, "the request is settled");
    const [decision] = (await asking.decisions()).filter(({ message }) => message === "1 by 1");
    if (row.status === "withdrawn" || row.delivery === "gone" || row.delivery === "failed")
      expect(decision).toBeUndefined();
    if (row.delivery === "delivered") expect(decision).toBeDefined();
  },
);
