import { type Kysely, sql, type Transaction } from "kysely";
import { migrateTo } from "../migrate";
import { migrations } from "../migrations";
import type { Database } from "../tables";
import { type CatalogTable, catalogTables, isData } from "./catalog";
import { BackupError, type BackupHeader, type Progress, type SummaryLine, type TableLine } from "./format";
import { checkBackup, readBackup } from "./read";
import { plainText } from "./session";

/** About this many characters of rows per statement. */
const BATCH_CHARACTERS = 1024 * 1024;

/** A backup whose whole file has been read, and found to be complete and unchanged. */
export interface CheckedBackup {
  path: string;
  header: BackupHeader;
  summary: SummaryLine;
  /** How many rows it has. */
  total: number;
}

/**
 * Reads a backup from its beginning to its end and checks its sum and counts.
 * @throws {BackupError} when it is not complete, was changed, or is newer than this release
 */
export async function openBackup(path: string): Promise<CheckedBackup> {
  const { header, summary } = await checkBackup(path);
  requireKnownMigrations(header, path);
  return { path, header, summary, total: Object.values(summary.rows).reduce((sum, rows) => sum + rows, 0) };
}

/**
 * Puts a backup into an empty database, which then has the schema of the backup: `openDatabase` migrates it up. All
 * rows are written in one transaction, and checked again before it commits.
 * @throws {BackupError} when the database is not empty, or the file has changed since it was checked
 */
export async function restoreBackup(
  db: Kysely<Database>,
  { path, header, summary, total }: CheckedBackup,
  progress: Progress = () => {},
): Promise<void> {
  await requireEmpty(db);
  await migrateTo(db, header.migrations).catch((cause: Error) => {
    throw new BackupError(`${cause.message} Restore into a new database.`, { cause });
  });
  await db.transaction().execute(async (trx) => {
    await plainText(trx);
    const tables = await catalogTables(trx);
    const names = sql.join(tables.map(({ name }) => sql.table(name)));
    await sql`lock table ${names} in exclusive mode`.execute(trx);
    await requireEmpty(trx);
    await new Loading(trx, tables, path, (table, rows) => progress({ table, rows, total })).run();
    await matches(trx, summary, path);
  });
}

function requireKnownMigrations({ migrations: had, release }: BackupHeader, path: string): void {
  const unknown = had.find((name) => migrations[name] === undefined);
  if (unknown !== undefined)
    throw new BackupError(
      `${path} was made by a newer version of Grove (${release}, with ${unknown}): restore it with that version, or a later one.`,
    );
}

/** @throws {BackupError} when any table has a row */
async function requireEmpty(db: Kysely<Database>): Promise<void> {
  for (const { name } of (await catalogTables(db)).filter(isData)) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0)
      throw new BackupError(
        `The database is not empty (${name} has rows). Restore into a new database (DATABASE_URL) or a new directory (DATA_DIR).`,
      );
  }
}

/** Counts what the transaction has written. */
async function matches(trx: Transaction<Database>, { rows }: SummaryLine, path: string): Promise<void> {
  for (const [table, expected] of Object.entries(rows)) {
    const count = sql<{ count: string }>`select count(*) as count from ${sql.table(table)}`;
    const found = Number((await count.execute(trx)).rows[0]?.count);
    if (found !== expected)
      throw new BackupError(
        `${path} has ${expected} rows of ${table}, and ${found} were restored. Nothing was kept.`,
      );
  }
}

type Loaded = (table: string, rows: number) => void;

/** Writes the rows of a backup. */
class Loading {
  readonly #trx: Transaction<Database>;
  readonly #tables: Map<string, CatalogTable>;
  readonly #path: string;
  readonly #progress: Loaded;
  #insert: ((json: string) => Promise<unknown>) | undefined;
  #table = "";
  #waiting: string[] = [];
  #characters = 0;
  #rows = 0;

  constructor(trx: Transaction<Database>, tables: CatalogTable[], path: string, progress: Loaded) {
    this.#trx = trx;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
    this.#path = path;
    this.#progress = progress;
  }

  async run(): Promise<void> {
    for await (const part of readBackup(this.#path)) {
      if ("rows" in part)
        for (const row of part.rows) {
          this.#waiting.push(row);
          this.#characters += row.length;
          if (this.#characters >= BATCH_CHARACTERS) await this.#flush();
        }
      else await this.#flush();
      if ("table" in part) this.#begin(part.table);
    }
  }

  #begin({ table: name, columns }: TableLine): void {
    const table = this.#tables.get(name);
    const types = columns.map((column) => table?.columns.find((one) => one.name === column)?.type);
    if (!table || types.includes(undefined) || columns.length !== table.columns.length)
      throw new BackupError(
        `The backup ${this.#path} does not match its own migrations (${name}). Restore it with the version that made it.`,
      );
    this.#table = name;
    const names = sql.join(columns.map((column) => sql.ref(column)));
    const values = sql.join(types.map((type, at) => sql`(line ->> ${sql.lit(at)})::${sql.raw(`${type}`)}`));
    this.#insert = (json) =>
      sql`insert into ${sql.table(name)} (${names})
        select ${values} from jsonb_array_elements(${json}::jsonb) as line`.execute(this.#trx);
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    await this.#insert?.(`[${this.#waiting.join(",")}]`);
    this.#rows += this.#waiting.length;
    this.#waiting = [];
    this.#characters = 0;
    this.#progress(this.#table, this.#rows);
  }
}
