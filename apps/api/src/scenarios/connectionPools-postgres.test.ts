import { newId } from "@grove/db";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { isOnline } from "../devices/presence";
import { useTestServer } from "../testing/server";

const server = await useTestServer();
const ada = await server.signUp();
const { organizationId } = ada;

/** Takes every connection that calls share, until the test ends. */
async function takeAllConnections(): Promise<void> {
  const { db } = server.database;
  const open = await Promise.all(Array.from({ length: 10 }, () => db.startTransaction().execute()));
  for (const transaction of open) await sql`select 1`.execute(transaction);
  onTestFinished(async () => {
    for (const transaction of open) await transaction.rollback().execute();
  });
}

it("while all connections are taken devices stay online, and analytics are answered", async () => {
  const { id, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  await takeAllConnections();
  const device = server.client(apiKey);
  const connected = new Promise<number>((resolve, reject) => {
    const stream = device.device.connect.subscribe(
      { journalId: newId(), agentVersion: "1.0.0", capabilities: ["list_projects"] },
      {
        onData: (event) => event.type === "beat" && resolve(event.epoch),
        onError: reject,
      },
    );
    onTestFinished(() => stream.unsubscribe());
  });
  await device.agent.heartbeat.mutate({ epoch: await connected, beat: 0, running: [] });
  const { rows } = await sql<{ online: boolean }>`
    select ${isOnline} as online from devices where id = ${id}`.execute(server.database.reserved);
  expect(rows).toEqual([{ online: true }]);
  const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
  expect(await ada.client.analytics.topEvents.query({ organizationId, ...range })).toEqual([]);
});

it("an analytics statement has five seconds, any other thirty", async () => {
  const timeout = async (db: typeof server.database.db) =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows[0]?.statement_timeout;
  expect(await timeout(server.database.slow)).toBe("5s");
  expect(await timeout(server.database.db)).toBe("30s");
});
