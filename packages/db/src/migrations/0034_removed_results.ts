import { statements } from "./statements";

/**
 * Only a release that does not know the time of removal is kept from removing results early. Others remove the oldest
 * ones of an organization that has no room for more.
 */
export const up = statements([
  `create or replace trigger empty_what_is_due before update of late_result on device_commands for each row
    when (coalesce(old.result, old.late_result) is not null and new.result is null and new.late_result is null
      and new.result_removed_at is null
      and old.tool <> 'get_workspace_diff' and old.finished_at > now() - interval '7 days')
    execute function leave_as_is()`,
]);
