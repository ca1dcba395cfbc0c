import { type Database, lockWithin } from "@grove/db";
import { protocol } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { Lease } from "../../instance/lease";
import type { Streams } from "./streams";

/** How long a write waits for a device's row. */
const LOCK_MS = 2_000;

/**
 * Shows this process's devices to instances of a release without leases while one is connected to the database: during
 * a rolling upgrade or a rollback. Such an instance reads only a time in each device's row, so that time is written as
 * often as that release wrote it. Delete this file when no such release can run.
 */
export function showToOlderReleases(
  db: Kysely<Database>,
  lease: Lease,
  streams: Streams,
): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (!lease.olderAround || performance.now() - last < protocol.beatMs) return;
    last = performance.now();
    const held = streams.all().filter((local) => local.isHeldUnder(lease));
    // Every statement that locks several devices takes them in the order of their ids.
    await sql`
      with held as (
        select devices.id from devices
        join unnest(${held.map(({ stream }) => stream.deviceId)}::uuid[],
          ${held.map(({ stream }) => stream.epoch)}::integer[]) as stream (id, epoch)
          on devices.id = stream.id and devices.epoch = stream.epoch
        where devices.revoked_at is null and ${lockWithin(LOCK_MS)}
        order by devices.id for no key update of devices skip locked)
      update devices set present_until = now() + interval ${sql.lit(`${protocol.leaseMs} milliseconds`)}
      from held where devices.id = held.id
    `.execute(db);
  };
}
