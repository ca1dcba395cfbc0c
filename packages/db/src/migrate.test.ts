import { messageOf } from "@grove/schemas";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { version } from "../package.json";
import { MigrationError } from "./errors";
import { silent } from "./log";
import { demandMigrated, migrate } from "./migrate";
import { migrations } from "./migrations";
import { useTestDatabase } from "./testing";

const { db } = await useTestDatabase();

async function applied(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The message with which the database is refused. */
const refusal = () =>
  migrate(db).then(
    () => undefined,
    (error: unknown) => {
      expect(error).toBeInstanceOf(MigrationError);
      return messageOf(error);
    },
  );

it("has run every migration, and runs none again", async () => {
  expect(await applied()).toEqual(Object.keys(migrations));
  await migrate(db);
  await Promise.all([migrate(db), migrate(db), migrate(db)]);
  expect(await applied()).toEqual(Object.keys(migrations));
});

it("reports which migration failed and why, and keeps nothing of it", async () => {
  const failing = "9999_failing";
  migrations[failing] = {
    up: async (trx) => {
      await sql`create table half_made (id int)`.execute(trx);
      await sql`select 1 / 0`.execute(trx);
    },
  };
  const refused = await refusal();
  delete migrations[failing];
  expect(refused).toBe(`Migration ${failing} failed: division by zero`);
  expect((await sql`select to_regclass('half_made') as made`.execute(db)).rows).toEqual([{ made: null }]);
  expect(await applied()).not.toContain(failing);
});

it("works with a database that a newer version has migrated, unless a migration needs a newer release", async () => {
  const future = async (name: string) => {
    await sql`insert into kysely_migration values (${name}, '2030-01-01')`.execute(db);
    const refused = await refusal();
    await sql`delete from kysely_migration where name = ${name}`.execute(db);
    return refused;
  };
  expect(await future("9998_future")).toBeUndefined();
  expect(await future("9998_drop_kind_needs_0_0_9")).toBeUndefined();
  expect(await future("9998_drop_kind_needs_99_0_0")).toBe(
    `A newer version of Grove has migrated this database (9998_drop_kind_needs_99_0_0). It needs Grove 99.0.0 or newer, and this is ${version}.`,
  );
});

it("requires the right schema without migrating", async () => {
  const [last = ""] = Object.keys(migrations).slice(-1);
  await demandMigrated(db, silent);
  await sql`delete from kysely_migration where name = ${last}`.execute(db);
  await expect(demandMigrated(db, silent)).rejects.toThrow(
    `The database lacks migrations (${last}), and MIGRATE is off: run \`grove-api migrate\`.`,
  );
  await sql`insert into kysely_migration values (${last}, '2030-01-01')`.execute(db);
});

it("refuses a database from before the first release, with the next step", async () => {
  const { rows } = await sql<{ name: string }>`
    update kysely_migration set name = 'draft_' || name returning name`.execute(db);
  const refused = await refusal();
  await sql`update kysely_migration set name = substr(name, 7)`.execute(db);
  expect(rows).toHaveLength(Object.keys(migrations).length);
  expect(refused).toBe(
    "The tables in this database were made before Grove's first release, or by another program: use a new database (DATABASE_URL) or a new directory (DATA_DIR).",
  );
  await migrate(db);
});
