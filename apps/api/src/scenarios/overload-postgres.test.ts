import { sql } from "kysely";
import { expect, it } from "vitest";
import { useOwnDevices } from "../testing/ownDevices";
import { failure, useTestServer } from "../testing/server";

/** The most calls that one caller may have in progress. */
const WORKED = 8;

const server = await useTestServer({ bounds: { maxConcurrency: WORKED } });
const { db } = server.database;
const ada = await server.signUp("Ada");
const eve = await server.signUp("Eve");
const { organizationId } = ada;
const { online, command, execute } = useOwnDevices(server, ada);

it("an overloaded server refuses new requests immediately, and accepts the reports of devices", async () => {
  const { id, device } = await online();
  const sent = await execute(id);
  await device.event("command");
  const held = await db.transaction().execute(async (trx) => {
    await sql`lock table tasks in access exclusive mode`.execute(trx);
    const lists = Array.from({ length: WORKED }, () => ada.client.task.list.query({ organizationId }));
    for (const list of lists) list.catch(() => undefined);
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int from pg_locks where relation = 'tasks'::regclass and not granted`.execute(db);
      return rows[0]?.count;
    };
    await expect.poll(waiting).toBe(WORKED);
    const response = await fetch(`${server.url}/api/trpc/organization.list`, {
      headers: { authorization: `Bearer ${ada.token}` },
    });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await failure(ada.client.organization.list.query())).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      reason: "overloaded",
    });
    // Only the caller that fills the instance is refused.
    expect(await eve.client.organization.list.query()).toHaveLength(1);

    await device.client.agent.complete.mutate({
      id: sent.id,
      journalId: device.journalId,
      result: { projects: [] },
    });
    return lists;
  });
  expect(await Promise.all(held)).toEqual(held.map(() => []));
  expect(await command(sent.id)).toMatchObject({ status: "succeeded" });
  expect(await ada.client.organization.list.query()).toHaveLength(1);
});
