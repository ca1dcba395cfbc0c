import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { createDatabase } from "@grove/testing/postgres";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { sql } from "kysely";
import { afterAll, expect, inject, it } from "vitest";
import { appliedMigrations, migrate } from "../migrate";
import { migrations } from "../migrations";
import { openDatabase } from "../open";
import { templateFile } from "../template";
import { openBackup, restoreBackup } from "./restore";
import { rowsOf } from "./testing/rowsOf";
import { writeBackup } from "./write";

const directory = await temporaryDirectory(afterAll);
const released = join(import.meta.dirname, "released");
const files = readdirSync(released).filter((name) => name.endsWith(".backup.gz"));

/** An empty database without tables, on the engine of this project. */
async function openEmpty() {
  if (inject("engine") === "pglite") {
    const dataDir = await temporaryDirectory();
    const embedded = await openDatabase({ dataDir, template: await templateFile() });
    await sql`drop schema public cascade; create schema public`.execute(embedded.db);
    return embedded;
  }
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  const database = await openDatabase({ url, migrating: false });
  return { ...database, close: () => database.close().then(drop) };
}

it.each(files)(
  "a filled database of the schema of %s is restored and migrates with all its data",
  async (file) => {
    const path = join(released, file);
    const checked = await openBackup(path);
    expect(basename(file, ".backup.gz")).toBe(checked.header.release);
    const database = await openEmpty();
    try {
      await restoreBackup(database.db, checked);
      expect(await appliedMigrations(database.db)).toEqual(checked.header.migrations);
      let backedUp = 0;
      const before = async () => {
        const place = join(directory, `${file}-before`);
        backedUp = (await writeBackup(database, place, async () => ({ release: "0.0.0", sealed: [] }))).rows;
      };
      await migrate(database.db, { before });
      const isOlder = checked.header.migrations.length < Object.keys(migrations).length;
      expect(backedUp).toBe(isOlder ? checked.total : 0);
      const after = join(directory, file);
      await writeBackup(database, after, async () => ({ release: "0.0.0", sealed: [] }));
      const [had, has] = [await rowsOf(path), await rowsOf(after)];
      for (const [table, rows] of Object.entries(had)) {
        expect(rows, table).not.toEqual([]);
        // A migration may add columns. A migration that removes or changes data needs its own expectation here.
        expect(has[table], table).toEqual(rows.map((row) => expect.objectContaining(row)));
      }
    } finally {
      await database.close();
    }
  },
);
