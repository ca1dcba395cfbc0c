import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";
import { clean } from "./retention";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;

it("deletes a long backlog of old commands that belong to no week in slices, the oldest first", async () => {
  const { id: deviceId } = await ada.client.device.register.mutate({
    organizationId,
    name: "bench",
    platform: "linux",
  });
  await sql`insert into device_commands (id, organization_id, device_id, tool, params, status, principal, timeout_ms,
      queue_expires_at, finished_at)
    select ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, ${organizationId}, ${deviceId}, 'list_projects', '{}', 'succeeded', 'user:x', 1, now(),
      now() - interval '31 days' - n * interval '1 minute'
    from generate_series(1, 4500) as n`.execute(db);
  const left = async () => {
    const { rows } = await sql<{ count: number; age: number | null }>`select count(*)::integer as count,
      round(extract(epoch from now() - interval '31 days' - min(finished_at)) / 60)::integer as age
      from device_commands`.execute(db);
    return rows[0];
  };
  await clean(db);
  expect(await left()).toEqual({ count: 2_500, age: 2_500 });
  await clean(db);
  await clean(db);
  expect(await left()).toEqual({ count: 0, age: null });
});

it("deletes an organization's old events from its first one on", async () => {
  await sql`insert into organization_events (organization_id, sequence, topic, payload, created_at)
    select ${organizationId}, n, 'test', '{}', now() - interval '8 days' from generate_series(1000001, 1003000) as n`.execute(
    db,
  );
  await clean(db);
  const { rows } = await sql<{ first: string; count: number }>`select min(sequence)::text as first,
    count(*)::integer as count from organization_events where sequence > 1000000`.execute(db);
  expect(rows).toEqual([{ first: "1002001", count: 1_000 }]);
});
