import type { ActivityState } from "./activity";

/** Whether an agent in this state waits for a person to act. */
export const waitsForPerson = (state: ActivityState): boolean =>
  state === "asks_permission" || state === "asks_question" || state === "limited" || state === "failed";
