import { statements } from "./statements";

/** Large results do not stay as long as their commands. */
export const up = statements([
  // Its readers are told that there was a result.
  "alter table device_commands add column result_removed_at timestamptz",
  // How far each job of maintenance has come, for whichever instance does it next.
  "create table maintenance (job text primary key, reached timestamptz not null)",
]);
