import { sql } from "kysely";
import { afterQuietHours } from "./quietHours";

/** A user whose console was visible within this time sees the event there first. */
const PRESENT = sql`interval '30 seconds'`;

/**
 * SQL for when a notification is due at the earliest: after the delay of its `rule`, later for a push to a user with a
 * `presence`, and not in the rule's quiet hours.
 */
export const notBefore = afterQuietHours(
  sql`(now() + rule.after_seconds * interval '1 second'
    + case when rule.channel = 'push' and presence.until > now() then ${PRESENT} else interval '0' end)`,
  { from: sql`rule.quiet_from`, to: sql`rule.quiet_to`, zone: sql`rule.time_zone` },
);
