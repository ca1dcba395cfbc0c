import { sql } from "kysely";
import type { Services } from "../services";

const EVERY_MS = 20_000;

/**
 * Makes up for wake-ups that were lost, with one read for all the streams of this process.
 * @returns a function that ends it
 */
export function startSafetyRead(services: Services): () => void {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => wakeQueued(services))
      .catch((error) => services.log.error({ err: error }, "could not look for queued device commands"));
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** Tells each stream for whose device something is queued. */
export async function wakeQueued({ database, dispatch }: Services): Promise<void> {
  const streams = dispatch.streams();
  if (streams.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${streams.map(({ stream }) => stream.organizationId)}::uuid[],
      ${streams.map(({ stream }) => stream.deviceId)}::uuid[]) as device (organization_id, id)
    where exists (
      select from device_commands
      where organization_id = device.organization_id and device_id = device.id and status = 'queued')
  `.execute(database.db);
  const queued = new Set(rows.map((row) => row.id));
  for (const local of streams) if (queued.has(local.stream.deviceId)) local.onQueued();
}
