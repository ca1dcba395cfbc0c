import { sql } from "kysely";
import { FALLBACK_POLL_MS } from "../../lib/wakeUp";
import type { Services } from "../../services";
import { cancelAbandoned } from "../submit/abandoned";

/** A command that was claimed this long ago has been sent, and a live device has begun it. */
const UNSENT_MS = 10_000;

/**
 * Makes up for lost announcements, with one read for all streams of this process.
 * @returns a function that stops the poll
 */
export function startFallbackPoll(services: Services): () => void {
  let busy = false;
  const timer = setInterval(() => {
    // While one poll still waits for the database, no other is started.
    if (busy) return;
    busy = true;
    void wakeStreams(services)
      .then(() => cancelAbandoned(services))
      .catch((error) => services.log.error({ err: error }, "could not look for waiting device commands"))
      .finally(() => {
        busy = false;
      });
  }, FALLBACK_POLL_MS);
  return () => clearInterval(timer);
}

/**
 * Wakes each stream whose device has a queued command, or a command that another process claimed and did not send. Ends
 * each stream that is not its device's newest. (The database may have been restored, so that it does not know even a
 * stream of this process; such a stream renews no lease.)
 *
 * While announcements do not arrive, the key of each stream's device is looked up again.
 */
export async function wakeStreams({ database, dispatch, metrics }: Services): Promise<void> {
  const streams = dispatch.streams.all();
  if (streams.length === 0) return;
  const ofDevice = sql`select from device_commands
    where organization_id = device.organization_id and device_id = device.id`;
  const { rows } = await sql<{ id: string; epoch: number; queued: boolean; unsent: boolean }>`
    select id, epoch, exists (${ofDevice} and status = 'queued') as queued,
      exists (${ofDevice} and status = 'claimed' and claimed_at < now() - ${sql.lit(UNSENT_MS)} * interval '1 millisecond') as unsent
    from unnest(${streams.map(({ stream }) => stream.organizationId)}::uuid[],
      ${streams.map(({ stream }) => stream.deviceId)}::uuid[]) as device (organization_id, id)
    join devices using (organization_id, id)
  `.execute(database.reserved);
  const waiting = new Map(rows.map((row) => [row.id, row]));
  const longOpen = performance.now() - UNSENT_MS;
  for (const { stream, inbox, since } of streams) {
    const { epoch, queued = false, unsent = false } = waiting.get(stream.deviceId) ?? {};
    if (epoch !== stream.epoch) inbox.onSuperseded();
    if (queued) inbox.onQueued();
    if (unsent) inbox.resync();
    // A stream that was attached only now has sent it at its beginning.
    if (unsent && epoch === stream.epoch && since < longOpen) metrics?.found("claimed");
    if (!database.notifier.connected) inbox.onRevoked();
  }
}
