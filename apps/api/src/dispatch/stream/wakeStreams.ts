import { deviceKeyIsValid } from "@grove/auth";
import { sql } from "kysely";
import { isHeldByInstance } from "../../devices/presence";
import { FALLBACK_POLL_MS } from "../../lib/fallbackPoll";
import { milliseconds } from "../../lib/interval";
import type { Services } from "../../services";
import { cancelAbandoned } from "../submit/cancelAbandoned";

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
      .catch((error) => services.log.error({ err: error }, "could not poll for waiting device commands"))
      .finally(() => {
        busy = false;
      });
  }, FALLBACK_POLL_MS);
  return () => clearInterval(timer);
}

interface DeviceState {
  id: string;
  epoch: number;
  isInForce: boolean;
  isHeld: boolean;
  seenAgoMs: number;
  queued: boolean;
  unsent: boolean;
}

/**
 * Wakes each stream whose device has a queued command, or a command that another process claimed and did not send. Ends
 * each stream that is not its device's newest. (The database may have been restored, so that it does not know even a
 * stream of this process; such a stream renews no lease.)
 *
 * It also reads which keys are valid and which devices have answered another process, so that heartbeats need no
 * statement for that. While announcements do not arrive, the keys are looked up one by one.
 */
export async function wakeStreams({ database, dispatch, lease, metrics }: Services): Promise<void> {
  const streams = dispatch.streams.all();
  if (streams.length === 0) return;
  const began = performance.now();
  const ofDevice = sql`select from device_commands
    where organization_id = device.organization_id and device_id = device.id`;
  const { rows } = await sql<DeviceState>`
    select id, epoch, ${deviceKeyIsValid(sql`device.id`, sql`device.key_hash`)} as "isInForce",
      ${isHeldByInstance} and instance_id = ${lease.id}::uuid as "isHeld",
      extract(epoch from now() - last_seen_at)::float8 * 1000 as "seenAgoMs",
      exists (${ofDevice} and status = 'queued') as queued,
      exists (${ofDevice} and status = 'claimed' and claimed_at < now() - ${milliseconds(UNSENT_MS)}) as unsent
    from unnest(${streams.map(({ stream }) => stream.organizationId)}::uuid[],
      ${streams.map(({ stream }) => stream.deviceId)}::uuid[],
      ${streams.map(({ keyHash }) => keyHash)}::text[]) as device (organization_id, id, key_hash)
    join devices using (organization_id, id)
  `.execute(database.reserved);
  const found = new Map(rows.map((row) => [row.id, row]));
  const longOpen = performance.now() - UNSENT_MS;
  for (const local of streams) {
    const { stream, inbox, since } = local;
    const row = found.get(stream.deviceId);
    const isNewest = row?.epoch === stream.epoch;
    if (!isNewest) inbox.onSuperseded();
    if (row?.queued) inbox.onQueued();
    if (row?.unsent) inbox.resync();
    // A stream that was attached only now has sent it at its beginning.
    if (row?.unsent && isNewest && since < longOpen) metrics?.found("claimed");
    if (!database.notifier.connected || !row?.isInForce) inbox.onRevoked();
    // The key counts as proven, unless it is being looked up, which may have begun later.
    else if (Number.isFinite(local.provenAt)) local.provenAt = began;
    // The database may have lost its newest rows. The response to the next heartbeat is stored again.
    if (!row?.isHeld) local.isPresent = false;
    // The row has the time of the connect, unless the device has answered to another process since.
    const seenAt = began - (row?.seenAgoMs ?? Number.POSITIVE_INFINITY);
    if (isNewest && seenAt > since) dispatch.presence.answeredElsewhere(local, seenAt);
  }
}
