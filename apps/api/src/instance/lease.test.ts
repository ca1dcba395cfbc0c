import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../lib/log";
import { useTestServer } from "../testing/server";
import { Lease } from "./lease";

// Renewed often, and long enough for a busy machine.
const server = await useTestServer({ lease: { everyMs: 50, holdsMs: 20_000 } });
const { db } = server.database;
const { lease } = server.services;

const leaseOf = async (id: string) =>
  (await db.selectFrom("api_instances").selectAll().where("id", "=", id).executeTakeFirst()) ?? {
    lease_until: "",
    version: "",
  };

it("is in the database while the server serves, and is renewed", async () => {
  const { lease_until: first, version } = await leaseOf(lease.id);
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(lease.holds).toBe(true);
  await expect.poll(async () => (await leaseOf(lease.id)).lease_until > first).toBe(true);
});

it("is not renewed after it expired: the server takes a new one", async () => {
  const former = lease.id;
  const renewed = new Set<string>();
  lease.onRenewed((id) => renewed.add(id));
  await sql`update api_instances set lease_until = now() - interval '1 second'`.execute(db);
  const { lease_until: ended } = await leaseOf(former);
  await expect.poll(() => lease.id).not.toBe(former);
  await expect.poll(() => renewed).toContain(lease.id);
  expect(lease.holds).toBe(true);
  expect((await leaseOf(former)).lease_until).toBe(ended);
});

it("one instance leads: the oldest whose lease holds", async () => {
  const times = { everyMs: 50, holdsMs: 20_000 };
  const younger = new Lease(db, createLog("silent"), times);
  await younger.begin();
  onTestFinished(() => younger.close());
  await expect.poll(() => lease.leads).toBe(true);
  expect(younger.leads).toBe(false);
  await sql`delete from api_instances where id = ${lease.id}`.execute(db);
  await expect.poll(() => younger.leads).toBe(true);
  await expect.poll(() => lease.leads).toBe(false);
});
