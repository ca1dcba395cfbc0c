import { errorData } from "@grove/client";
import type { AgentAnswer } from "@grove/schemas";
import { seeded } from "@grove/testing/random";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { startAsking } from "./world/asking";
import { deliveryPoints, reachPoint } from "./world/deliveryPoints";
import { useScene } from "./world/scene";

// The device's line leads to the first API process; callers use both.
const scene = useScene(2);

/** Races that end in the agent's hook. `requestRaces.test.ts` has more, without an agent. */
const RACES = 16;
/** How often a fault strikes at each point. `requestKills.test.ts` kills processes there. */
const CUTS = Number(process.env.REQUEST_CUTS ?? 2);
const random = seeded(7);
const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));

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

it("an answer is delivered once when the device's line or every database connection is cut", async () => {
  const { cloud } = scene;
  const faults = [async () => asking.device.line.cut(), cloud.cutDatabase];
  const rounds = CUTS * deliveryPoints.length;
  const asking = await startAsking(scene, rounds, { hasShortPauses: true });
  for (let round = 1; round <= rounds; round++) {
    const point = deliveryPoints[round % deliveryPoints.length] ?? deliveryPoints[0];
    const fault = faults[Math.floor(round / deliveryPoints.length) % faults.length];
    const { id } = await asking.asked(round);
    const answered = asking
      .answer(cloud.instances[between(0, 1)], id, answerOf(round, 1))
      .catch(() => undefined);
    await Promise.all([reachPoint(scene, asking, id, point, round).then(fault), answered]);
    await asking.answerUntilTaken(id, answerOf(round, 1));
    const { delivery } = await asking.settled(id);
    expect(["delivered", "gone"]).toContain(delivery);
    // The device was too slow, so the hook gave up; the row shows that, and the agent's own prompt is still open.
    if (delivery === "gone") await asking.typeNo();
    await until(async () => (await asking.decisions()).length >= round, `round ${round} is decided`);
    const decision = (await asking.decisions())[round - 1];
    if (delivery === "gone") expect(decision).toMatchObject({ behavior: "deny", key: "2" });
    else expect(decision).toEqual({ behavior: "deny", message: `${round} by 1` });
  }
  expect(await asking.decisions()).toHaveLength(rounds);
});
