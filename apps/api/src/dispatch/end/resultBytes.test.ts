import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { useOwnDevices } from "../../testing/ownDevices";
import { useTestServer } from "../../testing/server";
import { sweep } from "./sweep";

const LIMIT = 300_000;
const server = await useTestServer({ quotas: { resultBytes: LIMIT } });
const { db } = server.database;
const ada = await server.signUp("Ada");
const own = useOwnDevices(server, ada);
const bob = useOwnDevices(server, await server.signUp("Bob"));

/** A result that does not shrink when it is compressed. */
const large = () => ({ text: randomBytes(30_000).toString("base64url") });

/** A command of which the device reports this result. */
async function reported({ online, execute }: typeof own, result: unknown): Promise<string> {
  const { id: deviceId, device } = await online();
  const { id } = await execute(deviceId);
  await device.event("command");
  const { journalId } = device;
  await device.client.agent.complete.mutate({ id, journalId, result } as never);
  return id;
}

const bytesOf = async (organizationId: string) => {
  const { rows } = await sql<{ bytes: string }>`
    select sum(coalesce(pg_column_size(result), 0) + coalesce(pg_column_size(late_result), 0)) as bytes
    from device_commands where organization_id = ${organizationId}`.execute(db);
  return Number(rows[0]?.bytes);
};

it("removes the oldest results of an organization that is at its limit", async () => {
  const others = await reported(bob, large());
  const ids: string[] = [];
  for (let n = 0; n < 15; n++) ids.push(await reported(own, large()));
  const commands = await Promise.all(ids.map(own.command));
  const kept = commands.filter(({ result }) => result !== null);
  expect(kept.length).toBeGreaterThan(2);
  expect(kept.map(({ id }) => id)).toEqual(ids.slice(-kept.length));
  for (const { result, resultRemovedAt, status } of commands)
    expect([result === null, status]).toEqual([resultRemovedAt !== null, "succeeded"]);
  expect(await bytesOf(ada.organizationId)).toBeLessThan(LIMIT);
  expect((await bob.command(others)).result).not.toBeNull();
});

it("counts late results", async () => {
  for (let n = 0; n < 12; n++) {
    const { commandId, device } = await own.requeued();
    await own.expire(commandId);
    await sweep(server.services);
    const { client, journalId } = device;
    await client.agent.complete.mutate({ id: commandId, journalId, result: large() } as never);
  }
  expect(await bytesOf(ada.organizationId)).toBeLessThan(LIMIT);
});
