import { once } from "node:events";
import { connect } from "node:net";
import { newId } from "@grove/db";
import { sql } from "kysely";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { wakeStreams } from "../dispatch/stream/wakeStreams";
import { createServer } from "../http/server";
import { connectDevice, type TestDevice, untilStatus } from "../testing/device";
import { insertDelivery } from "../testing/fixtures";
import { useSecondInstance } from "../testing/instance";
import { useLine } from "../testing/line";
import { failure, stockClient, useTestServer } from "../testing/server";
import { takeNext } from "../webhooks/queue";
import { alerts, metricsToken, sample, scrape } from "./testing";

// Causes each fault, and checks that the value of its alert crosses the alert's threshold. promtool proves that the
// expressions then fire; see tooling/deploy/observe.
const server = await useTestServer({ metricsToken, bounds: { waiting: 3 } });
const { db } = server.database;
const line = await useLine(server.database.url ?? "");
const second = await useSecondInstance(server, line.url);
const ada = await server.signUp();
const { organizationId } = ada;

const connected: TestDevice[] = [];
afterEach(() => {
  line.repair();
  for (const device of connected.splice(0)) device.disconnect();
});

async function online(journalId?: string) {
  const { id, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const device = connectDevice(server.url, apiKey, journalId === undefined ? {} : { journalId });
  connected.push(device);
  await untilStatus(ada.client, organizationId, id, "online");
  return { id, apiKey, device };
}

const execute = (deviceId: string, client = ada.client, waitMs = 0) =>
  client.agent.execute.mutate({ organizationId, deviceId, tool: "list_projects", params: {}, waitMs });

/** Whether a value fires the alert, by the comparison at the end of its expression. */
function fires(alert: string, value: number): boolean {
  const [, comparison, limit] = / (<|>|==) ([\d.]+)$/.exec(alerts.get(alert) ?? "") ?? [];
  if (comparison === undefined) throw new Error(`${alert} has no threshold`);
  return comparison === "<" ? value < Number(limit) : value > Number(limit);
}

/** How much a metric grows during a fault. */
async function growth(fault: () => Promise<void>, name: string, labels = ""): Promise<number> {
  const before = sample(await scrape(server.url), name, labels);
  await fault();
  return sample(await scrape(server.url), name, labels) - before;
}

/** A row as another process makes it whose announcement is lost. */
const queueUnannounced = (deviceId: string, more: { journal_id?: string; created_at?: string } = {}) =>
  db
    .insertInto("device_commands")
    .values({
      id: newId(),
      organization_id: organizationId,
      device_id: deviceId,
      tool: "list_projects",
      params: "{}",
      requested_by: ada.user.id,
      principal: `session:${ada.user.id}`,
      timeout_ms: 60_000,
      queue_expires_at: sql`now() + interval '1 hour'`,
      ...more,
    })
    .execute();

it("one instance counts what the database has, for all of them", async () => {
  await online();
  const counted = async (url: string) => sample(await scrape(url), "grove_devices_online");
  expect(await counted(server.url)).toBeGreaterThan(0);
  expect(await counted(second.url)).toBe(0);
  expect(await scrape(second.url)).toContain("grove_database_up 1");
});

it("GroveDatabaseAway, GroveNotifierAway and GroveNotifierReconnects: the database is cut off", async () => {
  const value = async (name: string) => sample(await scrape(second.url), name);
  expect(fires("GroveDatabaseAway", await value("grove_database_up"))).toBe(false);
  expect(fires("GroveNotifierAway", await value("grove_notifier_connected"))).toBe(false);
  expect(await value("grove_commands_open")).toBe(0);
  for (let round = 0; round < 3; round++) {
    line.cut();
    await expect.poll(() => second.database.notifier.connected).toBe(false);
    const away = await scrape(second.url);
    expect(fires("GroveDatabaseAway", sample(away, "grove_database_up"))).toBe(true);
    expect(fires("GroveNotifierAway", sample(away, "grove_notifier_connected"))).toBe(true);
    // Values that were read earlier are left out.
    expect(away).not.toMatch(/^grove_(commands_open|devices_online|webhook)/m);
    line.repair();
    await expect.poll(() => second.database.notifier.connected).toBe(true);
  }
  expect(fires("GroveNotifierReconnects", await value("grove_notifier_reconnects_total"))).toBe(true);
  await expect.poll(() => value("grove_database_up")).toBe(1);
});

it("GroveAnnouncementsLost: a row without its announcement", async () => {
  const { id, device } = await online();
  const found = await growth(async () => {
    await wakeStreams(server.services);
    await queueUnannounced(id);
    await wakeStreams(server.services);
    await device.event("command");
  }, "grove_fallback_poll_found_total");
  expect(found).toBe(1);
  expect(fires("GroveAnnouncementsLost", found)).toBe(true);
});

it("GroveQueueOld: a command that nothing claims, although its device is online", async () => {
  const { id, device } = await online();
  await queueUnannounced(id, {
    journal_id: newId(),
    created_at: new Date(Date.now() - 120_000).toISOString(),
  });
  const age = async () => sample(await scrape(server.url), "grove_command_queue_age_seconds");
  expect(fires("GroveQueueOld", await age())).toBe(true);
  // A device that is offline may be waited for as long as callers like.
  device.disconnect();
  await untilStatus(ada.client, organizationId, id, "offline");
  expect(await age()).toBe(0);
});

it("GroveWakeSlow: commits are slow", async () => {
  const { id, device } = await online();
  await sql`create function slow_commit() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.7); return null; end $$`.execute(db);
  await sql`create constraint trigger slow_commit after insert on device_commands initially deferred
    for each row execute function slow_commit()`.execute(db);
  onTestFinished(async () => void (await sql`drop function slow_commit cascade`.execute(db)));
  const slow = async () => {
    const text = await scrape(server.url);
    const [name, by] = ["grove_wake_seconds", 'by="announcement"'];
    return sample(text, `${name}_count`, by) - sample(text, `${name}_bucket`, `le="0.5",${by}`);
  };
  expect(await slow()).toBe(0);
  await execute(id, stockClient(second.url, ada.token));
  await device.event("command");
  // All that crossed took longer than the alert allows.
  expect(await slow()).toBe(1);
  expect(fires("GroveWakeSlow", 0.7)).toBe(true);
});

it("GroveCommandsLost: a device reconnects with another journal", async () => {
  const { id, apiKey, device } = await online();
  const lost = await growth(
    async () => {
      await execute(id);
      device.disconnect();
      const other = connectDevice(server.url, apiKey);
      connected.push(other);
      await other.event("beat");
    },
    "grove_command_seconds_count",
    'status="lost"',
  );
  expect(fires("GroveCommandsLost", lost)).toBe(true);
});

it("GroveDevicesGone: devices disconnect", async () => {
  const { id, device } = await online();
  const count = async () => sample(await scrape(server.url), "grove_devices_online");
  const before = await count();
  device.disconnect();
  await untilStatus(ada.client, organizationId, id, "offline");
  expect(fires("GroveDevicesGone", (await count()) / before)).toBe(true);
});

it("GroveErrors: the schema is not what the program expects", async () => {
  const errors = await growth(
    async () => {
      await sql`alter table projects rename to gone`.execute(db);
      expect(await failure(ada.client.project.list.query({ organizationId }))).toMatchObject({
        code: "INTERNAL_SERVER_ERROR",
      });
      await sql`alter table gone rename to projects`.execute(db);
    },
    "grove_procedure_seconds_count",
    'code="INTERNAL_SERVER_ERROR"',
  );
  expect(fires("GroveErrors", errors)).toBe(true);
});

it("GroveRefusesCalls: a caller has more in progress than it may", async () => {
  const { id } = await online();
  const before = await scrape(server.url);
  // Over connections of their own, since a batch would be one caller's calls as well.
  await Promise.allSettled(
    Array.from({ length: 6 }, () => execute(id, stockClient(server.url, ada.token), 300)),
  );
  const after = await scrape(server.url);
  const grown = (labels?: string) =>
    sample(after, "grove_procedure_seconds_count", labels) -
    sample(before, "grove_procedure_seconds_count", labels);
  expect(fires("GroveRefusesCalls", grown('code="TOO_MANY_REQUESTS"') / grown())).toBe(true);
});

it("GroveRefusesConnections: an instance is at its limit of connections", async () => {
  const refused = await growth(
    async () => {
      const full = await createServer(server.services);
      full.server.maxConnections = 1;
      await full.listen({ host: "127.0.0.1", port: 0 });
      const { port } = full.server.address() as { port: number };
      const first = connect(port, "127.0.0.1");
      await once(first, "connect");
      const further = connect(port, "127.0.0.1").on("error", () => undefined);
      await once(further.resume(), "close");
      first.destroy();
      await full.close();
    },
    "grove_connections_refused_total",
    'limit="instance"',
  );
  expect(fires("GroveRefusesConnections", refused)).toBe(true);
});

it("GrovePoolWaits: slow statements take all connections", async () => {
  let elapsed = 0;
  const waited = await growth(async () => {
    const taken = await Promise.all(Array.from({ length: 10 }, () => db.startTransaction().execute()));
    for (const transaction of taken) await sql`select 1`.execute(transaction);
    const calls = Array.from({ length: 8 }, () =>
      stockClient(server.url, ada.token).project.list.query({ organizationId }),
    );
    await expect.poll(() => server.database.connections().main?.waiting).toBe(8);
    const began = performance.now();
    const slow = async (transaction: (typeof taken)[number]) => {
      await sql`select pg_sleep(0.3)`.execute(transaction);
      await transaction.rollback().execute();
    };
    await Promise.all(taken.map(slow));
    elapsed = (performance.now() - began) / 1_000;
    await Promise.all(calls);
  }, "grove_pool_wait_seconds_total");
  expect(fires("GrovePoolWaits", waited / elapsed)).toBe(true);
});

it("GroveEventLoopLag: something blocks the event loop", async () => {
  // Each scrape begins another measurement, which starts with a turn of the loop.
  const lag = async () => {
    for (const until = performance.now() + 400; performance.now() < until; );
    return sample(await scrape(server.url), "nodejs_eventloop_lag_p99_seconds");
  };
  await expect.poll(async () => fires("GroveEventLoopLag", await lag())).toBe(true);
});

it("GroveWebhooksLate and GroveWebhooksDead: deliveries are left lying, or cannot be read", async () => {
  const id = await insertDelivery(server, organizationId);
  await sql`update integration_events set run_at = now() - interval '10 minutes', attempts = 7, payload = '{'
    where id = ${id}`.execute(db);
  const late = sample(await scrape(server.url), "grove_webhook_queue_age_seconds");
  expect(fires("GroveWebhooksLate", late)).toBe(true);
  const dead = await growth(
    async () => void (await takeNext(server.services, new Set())),
    "grove_webhook_deliveries",
    'status="dead"',
  );
  expect(fires("GroveWebhooksDead", dead)).toBe(true);
});

it("announcements are counted where they are sent, and where they are heard", async () => {
  const { id } = await online();
  onTestFinished(second.database.notifier.subscribe("device_wake", id, () => {}));
  const count = async () => {
    const metrics = await Promise.all([server.url, second.url].map(scrape));
    return metrics.map((text) =>
      ["sent", "heard"].map((what) => sample(text, `grove_announcements_${what}_total`, "device_wake")),
    );
  };
  const before = await count();
  await execute(id, stockClient(second.url, ada.token));
  // Each process hears the announcement on its own connection, in its own time.
  const growths = async () =>
    (await count()).map((counts, of) => counts.map((now, what) => now - (before[of]?.[what] ?? 0)));
  await expect.poll(growths).toEqual([
    [0, 1],
    [1, 1],
  ]);
});
