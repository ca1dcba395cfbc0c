import { statements } from "./statements";

/** Commands whose result shows people's files lose it some minutes after their end. */
export const up = statements([
  `create index device_commands_diffs on device_commands (finished_at)
    where tool = 'get_workspace_diff' and (result is not null or late_result is not null)`,
]);
