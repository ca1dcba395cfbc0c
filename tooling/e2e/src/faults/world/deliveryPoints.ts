import { setImmediate as nextTurn } from "node:timers/promises";
import type { Asking } from "./asking";
import type { Scene } from "./scene";

/** The points at which a fault strikes while an answer is delivered, in their order. */
export const deliveryPoints = [
  "the answer was sent",
  "the answer was stored",
  "the device was given the answer",
  "the agent has the answer",
] as const;
export type DeliveryPoint = (typeof deliveryPoints)[number];

/** Within this time, every answer passes every point at which a fault does not stop it. */
const PASSED_MS = 15_000;

/**
 * Resolves when the answer to a request has reached a point, or never will: for instance, it came too late.
 * @param decided how many decisions the agent has then
 */
export async function reachPoint(
  { cloud }: Scene,
  { decisions }: Pick<Asking, "decisions">,
  id: string,
  point: DeliveryPoint,
  decided: number,
): Promise<void> {
  const isTrue = async (condition: string) =>
    (
      await cloud.query(
        `select from agent_requests left join device_commands on device_commands.id = command_id
         where agent_requests.id = $1 and ${condition}`,
        [id],
      )
    ).length > 0;
  const hasReached = {
    "the answer was sent": () => true,
    "the answer was stored": () => isTrue("agent_requests.status <> 'open'"),
    "the device was given the answer": () => isTrue("device_commands.status <> 'queued'"),
    "the agent has the answer": async () => (await decisions()).length >= decided,
  }[point];
  const end = performance.now() + PASSED_MS;
  // Without a pause, since the next point is passed a moment later.
  while (!(await hasReached())) {
    if (performance.now() > end) return;
    await nextTurn();
  }
}
