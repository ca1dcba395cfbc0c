import { sql } from "kysely";
import { afterQuietHours } from "./quietHours";

/** A push to a user who has the console in view waits this long, so that the user sees the event there first. */
const PRESENCE_DELAY = sql`interval '30 seconds'`;

/**
 * SQL for the earliest time at which a notification is due: after the delay of its `rule`, later for a push to a user
 * with a `presence`, and not in the rule's quiet hours.
 */
export const notBefore = afterQuietHours(
  sql`(now() + rule.after_seconds * interval '1 second'
    + case when rule.channel = 'push' and presence.until > now() then ${PRESENCE_DELAY} else interval '0' end)`,
  { from: sql`rule.quiet_from`, to: sql`rule.quiet_to`, zone: sql`rule.time_zone` },
);
