import type { ActivityState } from "./activity";

/** Whether an agent in this state waits for a person to act. */
export const waitsForPerson = (state: ActivityState): boolean =>
  state === "needs_permission" || state === "needs_answer" || state === "limited" || state === "failed";
