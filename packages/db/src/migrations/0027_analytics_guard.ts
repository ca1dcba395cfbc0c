import { statements } from "./statements";

/**
 * The release before 0021 deletes events of more than 400 days by their place in the table, which rows of several parts
 * have in common. Younger ones stay.
 */
export const up = statements([
  `create trigger delete_what_is_due before delete on analytics_events for each row
    when (pg_trigger_depth() = 0 and old.received_at > now() - interval '400 days') execute function leave_as_is()`,
]);
