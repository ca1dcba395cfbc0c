import { newId } from "@grove/db";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { type Person, password, useTestServer } from "../testing/server";

const server = await useTestServer();
const { db } = server.database;

/** Resolves when the deletion of an organization waits for a lock. */
const deletionWaits = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()
          and query like 'delete from "organizations"%'`.execute(db);
      return rows.length;
    })
    .toBe(1);

const deletions: [string, (ada: Person) => Promise<unknown>][] = [
  [
    "an organization",
    async ({ client, organizationId }) => {
      const { slug } = await client.organization.get.query({ organizationId });
      return client.organization.delete.mutate({ organizationId, confirmSlug: slug });
    },
  ],
  ["an account with its organization", ({ client }) => client.user.delete.mutate({ password })],
];

it.each(deletions)("%s is deleted during a write to it, and both succeed", async (_, deleteIt) => {
  const ada = await server.signUp("Ada");
  const { organizationId } = ada;
  const { id } = await ada.client.task.create.mutate({ organizationId, title: "Prune" });
  const deleting = await db.transaction().execute(async (trx) => {
    await trx.updateTable("tasks").set({ title: "Pruned" }).where("id", "=", id).execute();
    const begun = deleteIt(ada);
    await deletionWaits();
    // Waits for the organization's row, which the deletion holds while it waits for the task's.
    await trx
      .insertInto("analytics_events")
      .values({ id: newId(), organization_id: organizationId, event: "pruned", properties: "{}" })
      .execute();
    return { begun };
  });
  expect(await deleting.begun).toEqual({ success: true });
  expect(await db.selectFrom("tasks").selectAll().where("id", "=", id).execute()).toEqual([]);
});
