/**
 * `tsx src/backup/testing/million.ts [ROWS]`: backs up that many rows of PostgreSQL, restores them into an empty
 * database of either engine, and backs these up again. All files must have the same rows, to the byte. Prints the time
 * of each step.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import { createDatabase, startPostgres } from "@grove/testing/postgres";
import { type GroveDatabase, openDatabase } from "../../open";
import { openBackup, restoreBackup } from "../restore";
import { writeBackup } from "../write";
import { insertSampleRows } from "./sampleRows";

const ROWS = Number(process.argv[2] ?? 1_000_000);
/** The target for backup and restore together. A busy machine may take three times as long. */
const AIM_S = 180;
const LEEWAY = 3;

const directory = await mkdtemp(join(tmpdir(), "grove-million-"));
const server = await startPostgres({ fresh: true });
const empty = async () => openDatabase({ url: (await createDatabase(server.url)).url, migrating: false });

/** Runs work, and returns its result and how many seconds it took. */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const from = performance.now();
  const result = await work;
  return [result, (performance.now() - from) / 1_000];
}

/** The sum of a backup's lines, without the header, which has the time and the engine, and the line of sums. */
async function sumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  let rest = "";
  let isHeader = true;
  for await (const chunk of createReadStream(path).pipe(createGunzip()).setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!isHeader && !line.startsWith('{"rows"')) hash.update(line).update("\n");
      isHeader = false;
    }
  }
  return hash.digest("hex");
}

async function out(name: string, database: Pick<GroveDatabase, "db" | "engine">) {
  const path = join(directory, `${name}.backup.gz`);
  const written = writeBackup(database, path, async () => ({ release: "million", sealed: [] }));
  const [{ rows, bytes }, seconds] = await timed(written);
  return { path, rows, bytes, seconds, sum: await sumOf(path) };
}

const source = await openDatabase({ url: (await createDatabase(server.url)).url });
await insertSampleRows(source.db, ROWS);
const first = await out("first", source);
await source.close();
const size = `${(first.bytes / 1_000_000).toFixed(0)} MB`;
process.stdout.write(`${first.rows} rows, ${size}\nfrom postgres: ${first.seconds.toFixed(0)} s\n`);

let failed = first.rows < ROWS * 0.9;
for (const open of [empty, () => openDatabase({ dataDir: join(directory, "data"), migrating: false })]) {
  const database = await open();
  const [, seconds] = await timed(
    openBackup(first.path).then((backup) => restoreBackup(database.db, backup)),
  );
  const again = await out(database.engine, database);
  await database.close();
  const isEqual = again.sum === first.sum && again.rows === first.rows;
  failed ||= !isEqual || seconds + again.seconds > LEEWAY * AIM_S;
  process.stdout.write(
    `into ${database.engine}: ${seconds.toFixed(0)} s, and from it: ${again.seconds.toFixed(0)} s (together at most ` +
      `${AIM_S}); its rows are ${isEqual ? "equal to the byte" : "NOT EQUAL"}\n`,
  );
}
await server.stop();
await rm(directory, { recursive: true });
process.exitCode = failed ? 1 : 0;
