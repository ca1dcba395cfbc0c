import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";
import { clean } from "./retention";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;

const deletions = (table: string) =>
  server.statements.filter(({ sql: text }) => text.includes(`delete from ${table}`)).length;

it("deletes a long backlog of old commands from the default partition in slices", async () => {
  const { id: deviceId } = await ada.client.device.register.mutate({
    organizationId,
    name: "bench",
    platform: "linux",
  });
  await sql`insert into device_commands (id, organization_id, device_id, tool, params, status, principal, timeout_ms,
      queue_expires_at, finished_at)
    select ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, ${organizationId}, ${deviceId}, 'list_projects', '{}', 'succeeded', 'user:x', 1, now(),
      now() - interval '28 days' - n * interval '1 hour'
    from generate_series(1, 1200) as n`.execute(db);
  const before = deletions('"device_commands_rest"');
  await clean(server.services.database.db);
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::integer as count from device_commands`.execute(db);
  expect(rows).toEqual([{ count: 47 }]);
  expect(deletions('"device_commands_rest"') - before).toBe(3);
});

it("deletes an organization's old events in slices, with all earlier ones", async () => {
  await sql`insert into organization_events (organization_id, sequence, topic, payload, created_at)
    select ${organizationId}, n, 'test', '{}', now() - case n % 1000 when 0 then interval '0' else interval '8 days' end
    from generate_series(1000001, 1002000) as n`.execute(db);
  const before = deletions("organization_events");
  await clean(server.services.database.db);
  const { rows } = await sql`select sequence::text from organization_events where sequence > 1000000`.execute(
    db,
  );
  expect(rows).toEqual([{ sequence: "1002000" }]);
  expect(deletions("organization_events") - before).toBe(4);
});
