import { statements } from "./statements";

/** Nothing deletes or empties what is not due, so no trigger has to prevent it. */
export const up = statements([
  "drop trigger delete_what_is_due on device_commands",
  "drop trigger empty_what_is_due on device_commands",
  "drop trigger delete_what_is_due on analytics_events",
  "drop function leave_as_is",
]);
