import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { sql } from "kysely";
import { afterAll, expect, it, vi } from "vitest";
import { newId } from "./ids";
import { silent } from "./log";
import { type GroveDatabase, openDatabase } from "./open";
import { templateFile } from "./template";

// Initdb takes seconds even of an idle processor.
vi.setConfig({ testTimeout: 180_000 });

const parent = await temporaryDirectory(afterAll);
const template = await templateFile();

it("opens in memory without a directory", async () => {
  const { db, engine, ping, close } = await openDatabase();
  expect(engine).toBe("pglite");
  await ping();
  await db.insertInto("organizations").values({ id: newId(), name: "Acme", slug: "acme" }).execute();
  expect(await db.selectFrom("organizations").select("name").execute()).toEqual([{ name: "Acme" }]);
  await close();
  await expect(ping()).rejects.toThrow("closed");
});

it("lets no other user read its files, even in a directory that others may read", async () => {
  const dataDir = join(parent, "shared");
  mkdirSync(dataDir, { mode: 0o755 });
  const modeAfterOpening = async () => {
    await (await openDatabase({ dataDir, template })).close();
    return statSync(join(dataDir, "pgdata")).mode & 0o7777;
  };
  expect(await modeAfterOpening()).toBe(0o700);
  chmodSync(join(dataDir, "pgdata"), 0o755);
  expect(await modeAfterOpening()).toBe(0o700);
  // A mode that keeps others out is not touched: file systems without modes refuse any change.
  chmodSync(join(dataDir, "pgdata"), 0o1700);
  expect(await modeAfterOpening()).toBe(0o1700);
});

it("makes from a template what initdb and the migrations make, and runs these if the template is damaged", async () => {
  const damaged = join(parent, "damaged.tar.br");
  writeFileSync(damaged, readFileSync(template).subarray(0, 100_000));
  const open = async (name: string, file: string) => {
    const warnings: string[] = [];
    const log = { ...silent, warn: (_: object, message: string) => warnings.push(message) };
    const database = await openDatabase({ dataDir: join(parent, name), template: file, log });
    const facts = await factsOf(database);
    await database.close();
    return { facts, warnings };
  };
  const made = await open("made", damaged);
  expect(made.warnings).toEqual([expect.stringMatching(/^cannot use the template/)]);
  expect(await open("copied", template)).toEqual({ facts: made.facts, warnings: [] });
  expect(made.facts.settings).toMatchObject({
    server_encoding: "UTF8",
    TimeZone: "UTC",
    data_checksums: "on",
  });
});

/**
 * Reads everything but the rows: settings, locale, tables, indexes, extensions. Settings of an extension exist only
 * once it is loaded.
 */
async function factsOf({ db }: GroveDatabase) {
  const settings = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name not like '%.%'`.execute(db);
  const databases = await sql`
    select datname, datcollate, datctype, datlocprovider, encoding, datcollversion, datistemplate
    from pg_database order by datname`.execute(db);
  // Partitions are named after their month or week.
  const relations = await sql`
    select relname, relkind, relowner, relacl::text from pg_class
    where relnamespace = 'public'::regnamespace and not relispartition order by relname, relkind`.execute(db);
  const extensions = await sql`select extname, extversion from pg_extension order by extname`.execute(db);
  const migrated = await sql`select name from kysely_migration order by name`.execute(db);
  return {
    settings: Object.fromEntries(settings.rows.map(({ name, setting }) => [name, setting])),
    others: [databases, relations, extensions, migrated].map(({ rows }) => rows),
  };
}

it("releases the directory when it cannot be opened", async () => {
  mkdirSync(join(parent, "pgdata"));
  writeFileSync(join(parent, "pgdata", "PG_VERSION"), "nonsense");
  for (let round = 0; round < 2; round++)
    await expect(openDatabase({ dataDir: parent })).rejects.toThrow(
      `The embedded database in ${join(parent, "pgdata")} does not open`,
    );
});

/** The path and content of every file below a directory. */
const filesOf = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${path} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`);

it.each<[string, (pgdata: string) => void]>([
  ["without PG_VERSION", (pgdata) => rmSync(join(pgdata, "PG_VERSION"))],
  ["with an empty PG_VERSION", (pgdata) => writeFileSync(join(pgdata, "PG_VERSION"), "")],
  ["with one subdirectory alone", (pgdata) => keepOnly(pgdata, "base")],
  ["with PG_VERSION alone", (pgdata) => keepOnly(pgdata, "PG_VERSION")],
  ["without a file", (pgdata) => keepOnly(pgdata)],
  ["without its tables", (pgdata) => rmSync(join(pgdata, "base"), { recursive: true })],
  ["that is a file", (pgdata) => replaceBy(pgdata, () => writeFileSync(pgdata, ""))],
  [
    "that links to a disk which is not mounted",
    (pgdata) => replaceBy(pgdata, () => symlinkSync("/mnt/no", pgdata)),
  ],
])("never makes a new database in place of one %s", async (name, damage) => {
  const dataDir = join(parent, name);
  const pgdata = join(dataDir, "pgdata");
  await (await openDatabase({ dataDir, template })).close();
  damage(pgdata);
  const before = filesOf(dataDir).filter((file) => !file.includes(".lock."));
  await expect(openDatabase({ dataDir, template })).rejects.toThrow(
    /^The embedded database in .*pgdata does not open \(.+\)\. Restore .*, or move it away/,
  );
  expect(lstatSync(pgdata)).toBeDefined();
  const after = filesOf(dataDir);
  expect(after).toEqual(expect.arrayContaining(before));
});

function keepOnly(directory: string, kept?: string): void {
  for (const name of readdirSync(directory))
    if (name !== kept) rmSync(join(directory, name), { recursive: true });
}

function replaceBy(directory: string, make: () => void): void {
  rmSync(directory, { recursive: true });
  make();
}

it("fails when the directory cannot be made", async () => {
  await expect(
    openDatabase({ dataDir: join(parent, "pgdata", "PG_VERSION", "below-a-file") }),
  ).rejects.toThrow();
  if (process.platform === "linux")
    await expect(openDatabase({ dataDir: "/proc/grove/data" })).rejects.toThrow("ENOENT");
});
