import { type Database, deviceNotification } from "@grove/db";
import { type Kysely, sql } from "kysely";

/** How long a session counts as watched after a viewer has read its output. */
const WATCHED = sql`interval '30 seconds'`;
/** A viewer renews this often. */
export const RENEW_MS = 10_000;
/** A row that is watched for longer than this is not written again, however many viewers there are. */
const LONG_ENOUGH = sql`interval '22 seconds'`;

/**
 * Marks a running session as watched. Its chunks are announced from now on, and its device reports them as they come.
 * The first viewer wakes the device, which may have kept up to five seconds of output to itself.
 */
export async function keepWatched(
  db: Kysely<Database>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await sql`
    with session as (
      select organization_id, id, coalesce(watched_until > now(), false) as is_watched from agent_sessions
      where organization_id = ${organizationId} and id = ${id} and status = 'running'
        and (watched_until is null or watched_until < now() + ${LONG_ENOUGH})
      for no key update)
    update agent_sessions set watched_until = now() + ${WATCHED}
    from session
    where agent_sessions.organization_id = session.organization_id and agent_sessions.id = session.id
    returning case when not is_watched
      then ${deviceNotification(sql`device_id`, { kind: "watch", value: sql`agent_sessions.id` })} end as announced
  `.execute(db);
}
