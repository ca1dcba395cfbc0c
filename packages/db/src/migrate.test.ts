import { sql } from "kysely";
import { expect, it } from "vitest";
import { MigrationError } from "./errors";
import { migrate } from "./migrate";
import { migrations } from "./migrations";
import { useTestDatabase } from "./testing";

const { db } = await useTestDatabase();

async function applied(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

it("has run every migration once, and runs none again", async () => {
  expect(await applied()).toEqual(Object.keys(migrations));
  await migrate(db);
  await Promise.all([migrate(db), migrate(db), migrate(db)]);
  expect(await applied()).toEqual(Object.keys(migrations));
});

it("says which migration failed and why, and keeps nothing of it", async () => {
  const failing = "9999_failing";
  migrations[failing] = {
    up: async (trx) => {
      await sql`create table half_made (id int)`.execute(trx);
      await sql`select 1 / 0`.execute(trx);
    },
  };
  const error = await migrate(db).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  delete migrations[failing];
  expect(error).toBeInstanceOf(MigrationError);
  expect(error).toMatchObject({ message: `Migration ${failing} failed: division by zero` });
  expect((await sql`select to_regclass('half_made') as made`.execute(db)).rows).toEqual([{ made: null }]);
  expect(await applied()).not.toContain(failing);
});

it("refuses a database that a later version has migrated", async () => {
  await sql`insert into kysely_migration values ('9998_future', '2030-01-01')`.execute(db);
  await expect(migrate(db)).rejects.toThrow(MigrationError);
  await sql`delete from kysely_migration where name = '9998_future'`.execute(db);
});
