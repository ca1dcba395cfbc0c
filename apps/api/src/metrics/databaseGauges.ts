import { setTimeout as sleep } from "node:timers/promises";
import type { GroveDatabase } from "@grove/db";
import { type CommandStatus, openStatuses } from "@grove/schemas";
import { sql } from "kysely";
import type { Registry } from "prom-client";
import { isOnline } from "../devices/presence";
import type { Lease } from "../instance/lease";

/** How long a scrape waits for the database. A scraper waits ten seconds by default. */
const TIMEOUT_MS = 3_000;

/**
 * Measures the rows, on the leading instance only: all instances would count the same.
 * @returns a function that reads them, for each scrape. While the database is unreachable, it sets only
 * `grove_database_up`
 */
export function measureDatabase(
  { Gauge }: typeof import("prom-client"),
  registry: Registry,
  database: GroveDatabase,
  lease: Lease,
): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    name: "grove_database_up",
    help: "1 if the database answered this scrape within three seconds, otherwise 0.",
    registers,
  });
  const age = new Gauge({
    name: "grove_command_queue_age_seconds",
    help: "Age of the oldest command that is queued for an online device. Reported by the leading instance.",
    registers,
  });
  const open = new Gauge({
    name: "grove_commands_open",
    help: "Commands that are open in the database, by state; on the leading instance.",
    labelNames: ["status"],
    registers,
  });
  const online = new Gauge({
    name: "grove_devices_online",
    help: "Devices online across all instances. Reported by the leading instance only.",
    registers,
  });
  const overdue = new Gauge({
    name: "grove_webhook_queue_age_seconds",
    help: "How long the oldest due webhook delivery has been waiting; on the leading instance.",
    registers,
  });
  const deliveries = new Gauge({
    name: "grove_webhook_deliveries",
    help: "Webhook deliveries that are pending, and those that have failed permanently; on the leading instance.",
    labelNames: ["status"],
    registers,
  });

  const read = async () => {
    if (!lease.leads) {
      await database.ping();
      return () => {};
    }
    const [commands, devices, webhooks] = [
      await openCommands(database),
      await devicesOnline(database),
      await webhookDeliveries(database),
    ];
    return () => {
      for (const status of openStatuses) open.set({ status }, commands.counts.get(status) ?? 0);
      age.set(commands.oldest);
      online.set(devices);
      overdue.set(webhooks.age);
      deliveries.set({ status: "pending" }, webhooks.pending);
      deliveries.set({ status: "dead" }, webhooks.dead);
    };
  };
  // Concurrent scrapes share one read, so that reads do not pile up while the database hangs.
  let reading: Promise<(() => void) | undefined> | undefined;
  return async () => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    const set = await Promise.race([reading, sleep(TIMEOUT_MS, undefined, { ref: false })]);
    up.set(set ? 1 : 0);
    // Values that were read earlier must not appear to be current.
    for (const gauge of [age, online, overdue]) gauge.remove();
    for (const gauge of [open, deliveries]) gauge.reset();
    set?.();
  };
}

async function openCommands({ db }: GroveDatabase) {
  const { rows } = await sql<{ status: CommandStatus; count: number; age: number | null }>`
    select device_commands.status, count(*)::integer as count,
      extract(epoch from now() - min(device_commands.created_at) filter (where ${isOnline}))::float8 as age
    from device_commands
    join devices on devices.organization_id = device_commands.organization_id
      and devices.id = device_commands.device_id
    where device_commands.status in (${sql.join(openStatuses.map((status) => sql.lit(status)))})
    group by device_commands.status
  `.execute(db);
  return {
    counts: new Map(rows.map(({ status, count }) => [status, count])),
    oldest: rows.find(({ status }) => status === "queued")?.age ?? 0,
  };
}

async function devicesOnline({ db }: GroveDatabase): Promise<number> {
  const { count } = await db
    .selectFrom("devices")
    .select(sql<number>`count(*)::integer`.as("count"))
    .where(isOnline)
    .executeTakeFirstOrThrow();
  return count;
}

async function webhookDeliveries({ db }: GroveDatabase) {
  const { rows } = await sql<{ pending: number; dead: number; age: number }>`
    select count(*) filter (where status = 'pending')::integer as pending,
      count(*) filter (where status = 'dead')::integer as dead,
      coalesce(greatest(extract(epoch from now() - min(run_at) filter (where status = 'pending')), 0), 0)::float8 as age
    from integration_events where status in ('pending', 'dead')
  `.execute(db);
  return rows[0] ?? { pending: 0, dead: 0, age: 0 };
}
