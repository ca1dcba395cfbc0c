import { GroveError } from "@grove/auth";
import { isUnavailable } from "@grove/db";
import { sql } from "kysely";
import type { Services } from "../../services";
import { requestCancel } from "../end/cancel";
import type { Abandoned } from "../local";

const EVERY_MS = 20_000;
/** What was claimed for a stream is on it by then, and with a device that is alive begun. */
const UNSENT_AFTER = sql.lit("10 seconds");

/**
 * Makes up for wake-ups that were lost, with one read for all the streams of this process.
 * @returns a function that ends it
 */
export function startSafetyRead(services: Services): () => void {
  let busy = false;
  const timer = setInterval(() => {
    // One that waits for a database that is away stands for those that would follow.
    if (busy) return;
    busy = true;
    void wakeStreams(services)
      .then(() => cancelAbandoned(services))
      .catch((error) => services.log.error({ err: error }, "could not look for waiting device commands"))
      .finally(() => {
        busy = false;
      });
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** Cancels the commands whose callers hung up while the database was away. Those that cannot be canceled yet are kept. */
export async function cancelAbandoned(services: Services): Promise<void> {
  for (const command of services.dispatch.takeAbandoned())
    await requestCancel(services, command).catch((error) => {
      const isUnknown = error instanceof GroveError && error.code === "NOT_FOUND";
      if (isUnavailable(error) || (isUnknown && mayAppear(command))) services.dispatch.cancelLater(command);
      else if (!isUnknown) services.log.error({ err: error }, "could not cancel an abandoned command");
    });
}

/** Whether PostgreSQL may still make the command's row, for a process that has lost its connection. */
const mayAppear = ({ insertEndsBy = 0 }: Abandoned) => performance.now() < insertEndsBy;

/**
 * Wakes each stream whose device has something queued, or something that another process claimed and that was not sent.
 * Ends streams that are not the newest by the database, which may have gone back in time: such a stream renews nothing.
 * While announcements do not arrive, has each device's key looked up again.
 */
export async function wakeStreams({ database, dispatch }: Services): Promise<void> {
  const streams = dispatch.streams();
  if (streams.length === 0) return;
  const ofDevice = sql`select from device_commands
    where organization_id = device.organization_id and device_id = device.id`;
  const { rows } = await sql<{ id: string; epoch: number; queued: boolean; unsent: boolean }>`
    select id, epoch, exists (${ofDevice} and status = 'queued') as queued,
      exists (${ofDevice} and status = 'claimed' and claimed_at < now() - interval ${UNSENT_AFTER}) as unsent
    from unnest(${streams.map(({ stream }) => stream.organizationId)}::uuid[],
      ${streams.map(({ stream }) => stream.deviceId)}::uuid[]) as device (organization_id, id)
    join devices using (organization_id, id)
  `.execute(database.reserved);
  const waiting = new Map(rows.map((row) => [row.id, row]));
  for (const local of streams) {
    const { epoch, queued = false, unsent = false } = waiting.get(local.stream.deviceId) ?? {};
    if (epoch !== local.stream.epoch) local.onSuperseded();
    if (queued) local.onQueued();
    if (unsent) local.doubt();
    if (!database.notifier.connected) local.onRevoked();
  }
}
