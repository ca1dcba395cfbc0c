import type { AgentAnswer, AgentRequest } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { type Asking, startAsking } from "./world/asking";
import { type DeliveryPoint, deliveryPoints, reachPoint } from "./world/deliveryPoints";
import { useScene } from "./world/scene";

/** How often processes are killed at each of the eight points. */
const KILLS = Number(process.env.REQUEST_KILLS ?? 1);
const TIMEOUT_MS = 120_000 + KILLS * 30_000;

// The first API process is never killed. Each point has another one, since the tests run side by side.
const scene = useScene(1 + deliveryPoints.length);

/** Each answer can be told apart by its message. */
const answerOf = (round: number): AgentAnswer => ({ decision: "deny", message: `round ${round}` });

/** How often the agent's hook printed the answer of a round. */
const printed = async (asking: Asking, round: number) =>
  (await asking.printed()).filter((output) => output.includes(`"round ${round}"`)).length;

/** Expects that a row shows whether the answer was printed. */
async function expectTrue(asking: Asking, round: number, { status, delivery }: AgentRequest): Promise<void> {
  const outcome = delivery ?? status;
  const times = await printed(asking, round);
  if (outcome === "delivered") expect(times, `round ${round} is delivered`).toBe(1);
  else if (outcome === "unknown") expect(times, `round ${round} is unknown`).toBeLessThanOrEqual(1);
  else expect(times, `round ${round} is ${outcome}`).toBe(0);
}

/** How often each outcome occurred. */
class Tally {
  readonly counts: Record<string, number> = {};
  add({ status, delivery }: AgentRequest, times: number): void {
    const outcome = delivery ?? status;
    const name = outcome === "unknown" ? `unknown, ${times === 0 ? "not " : ""}printed` : outcome;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

/** Which API processes the caller and the device use: the one that is killed, or another. */
const routes = [
  { caller: "killed", device: "other" },
  { caller: "other", device: "killed" },
  { caller: "killed", device: "killed" },
] as const;

async function killApi(point: DeliveryPoint): Promise<Tally> {
  const { first: other, instances } = scene.cloud;
  const at = deliveryPoints.indexOf(point);
  const killed = instances[1 + at];
  if (!killed) throw new Error(`There is no API process for ${point}.`);
  const processes = { killed, other };
  const asking = await startAsking(scene, KILLS, { hasShortPauses: true });
  const { line } = asking.device;
  let leadsTo = other;
  const tally = new Tally();
  for (let round = 1; round <= KILLS; round++) {
    const route = routes[(round + at) % routes.length] ?? routes[0];
    if (leadsTo !== processes[route.device]) {
      leadsTo = processes[route.device];
      line.leadTo(leadsTo.port);
      line.cut();
      await asking.device.untilReached();
    }
    const { id } = await asking.asked(round);
    const answered = asking.answer(processes[route.caller], id, answerOf(round)).catch(() => undefined);
    await reachPoint(scene, asking, id, point, round);
    await killed.kill();
    await Promise.all([killed.listen(), answered]);
    await asking.answerUntilTaken(id, answerOf(round));
    const request = await asking.settled(id);
    // The device was too slow, so the hook gave up, and the agent's own prompt is still open.
    if (request.delivery === "gone") await asking.typeNo();
    await until(async () => (await asking.decisions()).length >= round, `round ${round} is decided`);
    await expectTrue(asking, round, request);
    tally.add(request, await printed(asking, round));
  }
  expect(await asking.decisions()).toHaveLength(KILLS);
  return tally;
}

async function killDevice(point: DeliveryPoint): Promise<Tally> {
  const asking = await startAsking(scene, 1, { hasShortPauses: true });
  const { device } = asking;
  const tally = new Tally();
  for (let round = 1; round <= KILLS; round++) {
    // The session ends with its device agent, so each one asks once.
    const { id } = await asking.asked(1);
    const decided = (await asking.decisions()).length + 1;
    const answered = asking.answer(scene.cloud.first, id, answerOf(round)).catch(() => undefined);
    await reachPoint(scene, asking, id, point, decided);
    await device.kill();
    device.start();
    await answered;
    const request = await asking.settled(id);
    if (round < KILLS) await asking.nextSession(1);
    await expectTrue(asking, round, request);
    tally.add(request, await printed(asking, round));
  }
  return tally;
}

/** Expects each delivery to have ended in one of these ways. With REQUEST_KILLS set, prints the count of each. */
function expectOutcomes(what: string, { counts }: Tally, possible: readonly string[]): void {
  if (process.env.REQUEST_KILLS) process.stdout.write(`${what}: ${JSON.stringify(counts)}\n`);
  expect(Object.keys(counts).filter((outcome) => !possible.includes(outcome))).toEqual([]);
}

it.concurrent.each(deliveryPoints)(
  "an answer is delivered once when an API process is killed after %s",
  async (point) => {
    const tally = await killApi(point);
    // The device agent ran throughout, so it knows whether the hook printed the answer.
    expectOutcomes(`API process killed after ${point}`, tally, ["delivered", "gone"]);
  },
  TIMEOUT_MS,
);

it.concurrent.each(deliveryPoints)(
  "an answer is delivered at most once when the device agent is killed after %s",
  async (point) => {
    const tally = await killDevice(point);
    const possible = ["delivered", "gone", "withdrawn", "unknown, printed", "unknown, not printed"];
    expectOutcomes(`device agent killed after ${point}`, tally, possible);
  },
  TIMEOUT_MS,
);
