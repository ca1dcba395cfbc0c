import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { afterAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../open";
import { tablesWithoutPartitions, useTestDatabase } from "../testing";
import { inOrder, isData } from "./catalog";
import { openBackup, restoreBackup } from "./restore";
import { addBackup, listBackups } from "./rotation";
import { rowsOf } from "./testing/rowsOf";
import { insertSampleRows } from "./testing/sampleRows";
import { writeBackup } from "./write";

const directory = await temporaryDirectory(afterAll);
const database = await useTestDatabase();
const { db } = database;
beforeEach(() => database.reset());

const describe = async () => ({ release: "1.2.3", sealed: [] });
const restore = async (path: string) => restoreBackup(db, await openBackup(path));
/** All lines but the header, which has the time. */
const body = (path: string) => gunzipSync(readFileSync(path)).toString().split("\n").slice(1, -2);

/** A backup of a filled database, which is empty again. */
async function filledBackup(name: string): Promise<string> {
  const path = join(directory, name);
  await insertSampleRows(db, 300);
  await writeBackup(database, path, describe);
  await database.reset();
  return path;
}

it("brings every row of every table back, to the byte, in a file for its owner alone", async () => {
  const first = join(directory, "first");
  await insertSampleRows(db, 2_000);
  const tables = Object.keys(await rowsFound()).filter((name) => isData({ name }));
  const seen: number[] = [];
  const made = await writeBackup(database, first, describe, { progress: ({ rows }) => seen.push(rows) });
  expect(statSync(first)).toMatchObject({ size: made.bytes });
  expect(statSync(first).mode & 0o777).toBe(0o600);
  expect(seen.at(-1)).toBe(made.rows);
  const rows = await rowsOf(first);
  expect(Object.keys(rows).sort()).toEqual(tables.sort());
  for (const [table, found] of Object.entries(rows)) expect(found, table).not.toEqual([]);
  expect(rows.tasks?.[0]?.created_at).toMatch(/^2026-01-02 \d\d:\d\d:\d\d\.\d{6}\+00$/);
  const results = new Set(rows.device_commands?.map(({ result }) => result));
  expect(results).toContain(null);
  expect(results).toContain("null");

  await database.reset();
  const again = join(directory, "again");
  await restore(first);
  await writeBackup(database, again, describe);
  expect(body(again)).toEqual(body(first));
});

/** How many rows each table has. */
async function rowsFound(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { name } of await tablesWithoutPartitions(db))
    found[name] = (
      await db
        .selectFrom(name as "users")
        .selectAll()
        .execute()
    ).length;
  return found;
}

it("refuses what is not a whole and unchanged backup, and keeps nothing", async () => {
  const whole = await filledBackup("whole");
  const bytes = readFileSync(whole);
  const text = gunzipSync(bytes).toString();
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(bytes.length >> 1) ^ 0xff, bytes.length >> 1);
  const lines = text.split("\n");
  const refused: [content: Uint8Array, message: RegExp][] = [
    [bytes.subarray(0, bytes.length >> 1), /is damaged: its end is missing\. .* Take another backup\.$/],
    [gzipSync(text.slice(0, text.lastIndexOf('{"rows"'))), /is damaged: its end is missing/],
    [flipped, /is damaged/],
    [gzipSync(text.replace("Task 1", "Task 2")), /is damaged: its checksum is wrong/],
    [
      gzipSync(lines.filter((line) => !line.includes("Task 1")).join("\n")),
      /is damaged: its checksum is wrong/,
    ],
    [gzipSync(`${text}{}\n`), /is damaged/],
    [Buffer.from(text), /is not a backup that Grove has made/],
    [gzipSync('{"name":"package"}\n'), /is not a backup that Grove has made/],
    [gzipSync(""), /is damaged: its end is missing/],
    [gzipSync(text.replace('"version":1', '"version":2')), /newer version of Grove \(1\.2\.3\)/],
  ];
  const path = join(directory, "refused");
  for (const [content, message] of refused) {
    writeFileSync(path, content);
    await expect(restore(path)).rejects.toThrow(message);
  }
  await expect(restore(join(directory, "none"))).rejects.toThrow("There is no file");
  expect(new Set(Object.values(await rowsFound()))).toEqual(new Set([0]));
});

it("refuses a file that changes after it was checked, and keeps nothing", async () => {
  const path = await filledBackup("changing");
  const checked = await openBackup(path);
  const text = gunzipSync(readFileSync(path)).toString();
  writeFileSync(path, gzipSync(text.replace("Task 1", "Task 2")));
  await expect(restoreBackup(db, checked)).rejects.toThrow("its checksum is wrong");
  expect(new Set(Object.values(await rowsFound()))).toEqual(new Set([0]));
});

it("restores only into an empty database", async () => {
  const path = await filledBackup("full");
  await restore(path);
  const before = await rowsFound();
  await expect(restore(path)).rejects.toThrow(
    /^The database is not empty \(\w+ has rows\)\. Restore into a new/,
  );
  expect(await rowsFound()).toEqual(before);
});

it("leaves no draft when it is aborted, and keeps the earlier file of that name", async () => {
  const path = await filledBackup("stopped");
  const before = readFileSync(path);
  await insertSampleRows(db, 300);
  const stop = new AbortController();
  const stopped = writeBackup(database, path, describe, {
    progress: () => stop.abort(),
    signal: stop.signal,
  });
  await expect(stopped).rejects.toThrow("aborted");
  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(directory).filter((name) => name.endsWith(".part"))).toEqual([]);
});

/** A process that has begun the draft of a backup. */
async function startDraft(path: string) {
  const script = `
    import { writeFileSync } from "node:fs";
    import { makeDraft } from ${JSON.stringify(new URL("./draft.ts", import.meta.url).href)};
    const { draft } = await makeDraft(process.argv[1]);
    writeFileSync(draft, "begun");
    console.log("begun");
    setInterval(() => {}, 1_000);`;
  const program = startProgram(
    [process.execPath, "--import", import.meta.resolve("tsx"), "--input-type=module", "-e", script, path],
    { env: process.env, endAfter: onTestFinished },
  );
  await program.waitForLine("begun");
  return program;
}

it("removes the drafts of killed backups, and no draft of a running one", async () => {
  const place = join(directory, "killed");
  mkdirSync(place);
  const drafts = () => readdirSync(place).filter((name) => name.endsWith(".part"));
  const [killed, other, running] = await Promise.all(
    ["a", "b", "a"].map((name) => startDraft(join(place, name))),
  );
  for (const program of [killed, other]) await program?.end("SIGKILL");
  writeFileSync(join(place, ".mine.part"), "of another program");
  expect(drafts()).toHaveLength(4);
  await writeBackup(database, join(place, "a"), describe);
  expect(drafts()).toHaveLength(2);
  await running?.end("SIGKILL");
  await addBackup(database, place, describe);
  expect(drafts()).toEqual([".mine.part"]);
});

it.each([
  ["a directory that does not exist", () => join(directory, "missing", "a"), "its directory does not exist"],
  ["a directory", () => directory, "it is a directory"],
  ["a place below a file", () => join(process.execPath, "a"), "a part of its path is a file"],
])("names the file that cannot be written: %s", async (_, path, reason) => {
  await expect(writeBackup(database, path(), describe)).rejects.toThrow(
    `Cannot write the backup ${path()}: ${reason}.`,
  );
});

it("refuses to back up a database without tables", async () => {
  const empty = await openDatabase({ migrating: false });
  onTestFinished(() => empty.close());
  await expect(writeBackup(empty, join(directory, "empty"), describe)).rejects.toThrow(
    "The database is empty",
  );
});

it("keeps the last seven", async () => {
  const kept = join(directory, "kept");
  for (let day = 1; day <= 9; day++)
    await addBackup(database, kept, describe, { now: new Date(`2026-02-0${day}T03:00:00.123Z`) });
  writeFileSync(join(kept, "notes.txt"), "mine");
  const days = (await listBackups(kept)).map(({ time }) => time.toISOString());
  expect(days).toEqual([3, 4, 5, 6, 7, 8, 9].map((day) => `2026-02-0${day}T03:00:00.000Z`));
  expect(await listBackups(join(directory, "missing"))).toEqual([]);
});

it("orders tables by their foreign keys, and names those that have no order", () => {
  const tables = [
    { name: "a", refersTo: ["b", "c"] },
    { name: "b", refersTo: ["c"] },
    { name: "c", refersTo: [] },
  ];
  expect(inOrder(tables).map(({ name }) => name)).toEqual(["c", "b", "a"]);
  expect(() => inOrder([...tables.slice(0, 2), { name: "c", refersTo: ["a"] }])).toThrow("a, b, c");
});
