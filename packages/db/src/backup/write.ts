import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Kysely, sql, type Transaction } from "kysely";
import { appliedMigrations } from "../migrate";
import type { GroveDatabase } from "../open";
import type { Database } from "../tables";
import { type CatalogTable, catalogTables, isData } from "./catalog";
import { makeDraft } from "./draft";
import {
  BackupError,
  type BackupHeader,
  FORMAT,
  type Progress,
  type SummaryLine,
  type TableLine,
  VERSION,
} from "./format";
import { plainText } from "./session";

/** A batch begins with few rows, since they may be large, and grows up to a limit of rows and of bytes. */
const FIRST_BATCH = 16;
const MAX_ROWS = 1_000;
const BATCH_BYTES = 4 * 1024 * 1024;

/** The zlib level. Higher levels save little space and take several times as long. */
const LEVEL = 3;

/** The caller's part of a backup's header, read in the backup's own transaction. */
export type Describe = (trx: Transaction<Database>) => Promise<Pick<BackupHeader, "release" | "sealed">>;

/** The size of a backup. */
export interface BackupResult {
  rows: number;
  bytes: number;
}

/**
 * Writes everything that the database holds at this moment into a file (mode 0600), whatever its schema's version. The
 * file appears when it is complete, and then replaces one of the same name.
 * @param options.signal ends it, and leaves nothing behind
 */
export async function writeBackup(
  { db, engine }: Pick<GroveDatabase, "db" | "engine">,
  path: string,
  describe: Describe,
  { progress = () => {}, signal }: { progress?: Progress; signal?: AbortSignal } = {},
): Promise<BackupResult> {
  const { draft, end } = await makeDraft(path).catch((error) => {
    throw explainFile(error, path);
  });
  try {
    const rows = await db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (trx) => {
        await plainText(trx);
        const migrations = await appliedMigrations(trx);
        if (migrations.length === 0)
          throw new BackupError(
            "The database is empty: it has no table of Grove. Set DATABASE_URL or DATA_DIR to the database that Grove uses.",
          );
        const header = { engine, migrations, ...(await describe(trx)) };
        const lines = new Lines(trx, header, progress);
        const file = createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true });
        const text = Readable.from(lines.all(), { highWaterMark: 1 });
        await pipeline(text, createGzip({ level: LEVEL }), file, { signal });
        return lines.total;
      });
    const { size: bytes } = await stat(draft);
    await rename(draft, path);
    await syncDirectory(dirname(path));
    return { rows, bytes };
  } catch (error) {
    throw explainFile(error, path);
  } finally {
    await end();
  }
}

/** Errors of the file system that the operator can act on, by Node's code. */
const fileErrors: Record<string, string> = {
  ENOSPC: "the disk is full. Free some space",
  EDQUOT: "this user's disk quota is used up. Free some space",
  EFBIG: "the file is too large for the file system or the limit of this process. Raise that limit",
  EROFS: "the file system is read-only. Make it writable",
  EACCES: "this user cannot write there. Allow it",
  EPERM: "this user cannot write there. Allow it",
  ENOENT: "its directory does not exist. Create it",
  ENOTDIR: "a part of its path is a file. Rename that",
  EISDIR: "it is a directory. Name a file in it",
};

/** Names the file that could not be written, where a plain error would seem to be the database's. */
function explainFile(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = fileErrors[code];
  return reason === undefined
    ? error
    : new BackupError(
        `Cannot write the backup ${path}: ${reason}, or choose another place. No backup was created.`,
        {
          cause: error,
        },
      );
}

/** Makes a renamed file survive a power cut. Windows cannot open a directory. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

type Described = Pick<BackupHeader, "engine" | "migrations" | "release" | "sealed">;

/** The lines of a backup, several at a time. */
class Lines {
  total = 0;
  readonly #trx: Transaction<Database>;
  readonly #header: Described;
  readonly #progress: Progress;
  readonly #hash = createHash("sha256");

  constructor(trx: Transaction<Database>, header: Described, progress: Progress) {
    this.#trx = trx;
    this.#header = header;
    this.#progress = progress;
  }

  async *all(): AsyncGenerator<string> {
    const createdAt = new Date().toISOString();
    const header: BackupHeader = { format: FORMAT, version: VERSION, createdAt, ...this.#header };
    yield this.#hashed(`${JSON.stringify(header)}\n`);
    const counts: SummaryLine["rows"] = {};
    for (const table of (await catalogTables(this.#trx)).filter(isData)) {
      const line: TableLine = { table: table.name, columns: table.columns.map(({ name }) => name) };
      yield this.#hashed(`${JSON.stringify(line)}\n`);
      counts[table.name] = 0;
      for await (const rows of batchesOf(this.#trx, table)) {
        yield this.#hashed(`${rows.join("\n")}\n`);
        counts[table.name] = (counts[table.name] ?? 0) + rows.length;
        this.total += rows.length;
        this.#progress({ table: table.name, rows: this.total });
      }
    }
    const summary: SummaryLine = { rows: counts, sha256: this.#hash.digest("hex") };
    yield `${JSON.stringify(summary)}\n`;
  }

  #hashed(text: string): string {
    this.#hash.update(text);
    return text;
  }
}

/** Reads a table through a cursor, in the order of its primary key. */
async function* batchesOf(
  trx: Kysely<Database>,
  { name, columns, key }: CatalogTable,
): AsyncGenerator<string[]> {
  const texts = sql.join(columns.map((column) => sql`${sql.ref(column.name)}::text`));
  const order = key.length > 0 ? sql`order by ${sql.join(key.map((column) => sql.ref(column)))}` : sql``;
  await sql`declare backup no scroll cursor for
    select json_build_array(${texts})::text as line from ${sql.table(name)} ${order}`.execute(trx);
  for (let size = FIRST_BATCH; ; ) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(size)} from backup`.execute(trx);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < size) break;
    const largest = rows.reduce((max, { line }) => Math.max(max, line.length), 1);
    size = Math.max(1, Math.min(size * 2, MAX_ROWS, Math.floor(BATCH_BYTES / largest)));
  }
  await sql`close backup`.execute(trx);
}
