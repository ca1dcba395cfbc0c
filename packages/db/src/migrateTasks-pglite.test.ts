import { Migrator } from "kysely";
import { expect, it } from "vitest";
import { openPGlite } from "./engines/pglite";
import { newId } from "./ids";
import { migrate } from "./migrate";
import { migrations } from "./migrations";
import { insertTaskStatuses } from "./taskStatuses";

it("gives organizations that exist already the statuses that new ones get", async () => {
  const { db } = await openPGlite();
  const organization = async (slug: string) => {
    const id = newId();
    await db.insertInto("organizations").values({ id, name: slug, slug }).execute();
    return id;
  };
  const statusesOf = (organizationId: string) =>
    db
      .selectFrom("task_statuses")
      .select(["key", "name", "type", "color", "position"])
      .where("organization_id", "=", organizationId)
      .orderBy("position")
      .execute();
  try {
    await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(
      "0002_accounts",
    );
    const old = await organization("old");
    await migrate(db);
    const young = await organization("young");
    await db.transaction().execute((trx) => insertTaskStatuses(trx, young));
    expect(await statusesOf(old)).toHaveLength(6);
    expect(await statusesOf(old)).toEqual(await statusesOf(young));
  } finally {
    await db.destroy();
  }
});
