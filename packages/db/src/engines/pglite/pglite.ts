import { AsyncLocalStorage } from "node:async_hooks";
import { lstatSync, statSync } from "node:fs";
import { access, chmod, constants, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import {
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  Kysely,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import { NestedQueryError, TransactionAbortedError } from "../../errors";
import type { Log } from "../../log";
import type { Database } from "../../tables";
import { FairQueue } from "../fairQueue";
import { parsers } from "../types";
import { withBoundedCost } from "./cost";
import { readTemplate, unpackTemplate } from "./template";

/** No other user may read the files, even if DATA_DIR itself is open to other users, as a volume may be. */
const OWNER_ONLY = 0o700;

/**
 * Without limits, 1 GB of write-ahead log stays on the disk. PGlite has no background process for checkpoints; see
 * `keepVacuumed`.
 */
const LOG_SIZE = ["-c", "max_wal_size=64MB", "-c", "min_wal_size=32MB"];

/** Opens an embedded PostgreSQL in a directory, or in memory. The directory must be locked: see `lockDataDirectory`. */
export async function openPGlite(
  options: Pick<PGliteOptions, "dataDir" | "loadDataDir"> = {},
  from?: Template,
): Promise<{ db: Kysely<Database>; slow: Kysely<Database>; pglite: PGlite }> {
  if (options.dataDir !== undefined) await makeDataDirectory(options.dataDir, from);
  const startParams = [...PGlite.defaultStartParams, ...LOG_SIZE];
  const pglite = await PGlite.create({
    ...options,
    startParams,
    parsers,
    extensions: { pg_trgm, btree_gin },
  });
  const dialect = new PostgresDialect({
    pool: { connect: async () => clientOf(pglite), end: () => pglite.close() },
  });
  const driver = dialect.createDriver();
  await driver.init();
  const shared = new SharedConnection(await driver.acquireConnection());
  const open = (provider: ConnectionProvider) =>
    new Kysely<Database>({
      config: { dialect },
      dialect,
      driver,
      executor: new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), provider),
    });
  const slow = open({
    provideConnection: (consumer) =>
      shared.provideConnection((connection) => consumer(withBoundedCost(connection))),
  });
  return { db: open(shared), slow, pglite };
}

/** The file from which a new database is made. */
interface Template {
  path: string;
  log: Log;
}

/**
 * Makes a new database under another name first. Its files are written one by one. A process killed during that would
 * leave a partial database, which PGlite would later take for a complete one.
 */
async function makeDataDirectory(directory: string, from: Template | undefined): Promise<void> {
  // Not existsSync, which follows a link: a link to an unmounted disk would be replaced by a new database.
  if (lstatSync(directory, { throwIfNoEntry: false })) {
    requireDatabase(directory);
    // PGlite itself does not report which right is missing.
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return closeToOthers(directory);
  }
  const draft = `${directory}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: OWNER_ONLY });
  try {
    const template = from && (await readable(from));
    if (template) unpackTemplate(template, draft);
    // This runs initdb.
    else await (await PGlite.create({ dataDir: draft })).close();
    await rename(draft, directory);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** The directories and files without which PostgreSQL cannot start. */
const REQUIRED = ["PG_VERSION", "base", "global/pg_control", "pg_wal", "pg_xact"];

/**
 * Refuses a partial database: without PG_VERSION, PGlite would run initdb over its files, and all rows would be lost.
 */
function requireDatabase(directory: string): void {
  if (!statSync(directory).isDirectory()) throw new Error("it is not a directory");
  for (const name of REQUIRED) {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    if (!found || (found.isFile() && found.size === 0)) throw new Error(`${name} is missing or empty`);
  }
}

/** A template only saves time, so a missing or damaged one is ignored. */
const readable = ({ path, log }: Template) =>
  readTemplate(path).catch((error: Error) => {
    log.warn({ err: error, path }, "cannot use the template of new databases; making one takes longer");
    return undefined;
  });

/** Leaves a mode that is already strict: vfat, for example, cannot change modes. */
async function closeToOthers(directory: string): Promise<void> {
  const { mode } = await stat(directory);
  if ((mode & ~OWNER_ONLY & 0o777) !== 0) await chmod(directory, OWNER_ONLY);
}

/** Adapts PGlite's only session to the pool client that Kysely's PostgreSQL driver uses. */
function clientOf(pglite: PGlite): PostgresPoolClient {
  const query = async <R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
    try {
      // As in pg, a query without parameters uses the simple protocol, which allows several statements.
      const result = parameters.length
        ? await pglite.query(sql, parameters.map(toParameter))
        : (await pglite.exec(sql)).at(-1);
      if (sql === "commit" && result?.command === "ROLLBACK") throw new TransactionAbortedError();
      const { command, rowCount, rows } = result ?? { rows: [] };
      // PGlite types `command` as a string, Kysely as a union of literals.
      return { command, rowCount: rowCount ?? 0, rows } as PostgresQueryResult<R>;
    } catch (error) {
      // PGlite attaches the parameters, which may be secrets, to its errors: they would end up in a log.
      if (error instanceof Error) Object.assign(error, { params: undefined });
      throw error;
    }
  };
  // Without the overload for cursors, which only Kysely's streams use.
  return { query: query as PostgresPoolClient["query"], release: () => {} };
}

/** Converts a parameter to text as pg does, so that a query means the same on both engines. */
function toParameter(value: unknown): unknown {
  if (value === null || value === undefined || value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return toArrayLiteral(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function toArrayLiteral(values: unknown[]): string {
  const items = values.map((value) => {
    if (Array.isArray(value)) return toArrayLiteral(value);
    if (value === null || value === undefined) return "NULL";
    const text =
      value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : String(toParameter(value));
    return `"${text.replace(/[\\"]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}

/**
 * Lends the only connection to one caller at a time. Callers take turns. A nested request is refused immediately, since
 * it would wait for itself.
 */
class SharedConnection implements ConnectionProvider {
  readonly #connection: DatabaseConnection;
  readonly #currentLoan = new AsyncLocalStorage<{ open: boolean }>();
  readonly #queue = new FairQueue(1);

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    if (this.#currentLoan.getStore()?.open) throw new NestedQueryError();
    const release = await this.#queue.take();
    const loan = { open: true };
    try {
      return await this.#currentLoan.run(loan, () => consumer(this.#connection));
    } finally {
      // Statements that the consumer did not await are no longer inside the transaction.
      loan.open = false;
      release();
    }
  }
}
