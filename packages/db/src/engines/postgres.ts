import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import pg from "pg";
import { TransactionAbortedError } from "../errors";
import type { Log } from "../log";
import type { Database } from "../tables";
import { pgTypes } from "./types";

/**
 * A connection that has prepared this many statements is replaced: SQL of ever new shapes must not fill the server's
 * memory.
 */
const MAX_PREPARED_STATEMENTS = 500;

/** How often connections are checked for silence. */
const LOOK_EVERY_MS = 1_000;

export interface PostgresOptions {
  url: string;
  /** The most connections at a time. */
  poolSize: number;
  /** The longest that a statement may run; 0 for no limit. */
  statementTimeoutMs: number;
  /** Plans each statement for its own values, for queries whose time goes into reading and not into planning. */
  plansAnew?: boolean;
  log: Log;
}

/** The settings of every connection, including the listening one. */
export const clientConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: "grove",
  connectionTimeoutMillis: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: "-c TimeZone=UTC",
  types: pgTypes,
});

/** Opens a database on a pool of its own, or on the one given. */
export const openPostgres = (options: PostgresOptions, pool = createPool(options)): Kysely<Database> =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool, silenceOf(options)) }) });

/**
 * How long a connection may be silent during a statement. A server that disappeared silently cannot end the statement
 * itself.
 *
 * pg's own query_timeout is not used. A timer for each statement links the objects of a busy server's requests, and
 * V8's collector of young objects then keeps dead ones for long (a tenth of the list's p99).
 */
const silenceOf = ({ statementTimeoutMs }: PostgresOptions): number =>
  statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + 5_000;

/** A bounded pool of connections, which are made when first needed. */
export function createPool({
  url,
  poolSize,
  statementTimeoutMs,
  plansAnew = false,
  log,
}: PostgresOptions): pg.Pool {
  const config = clientConfig(url);
  const pool = new pg.Pool({
    ...config,
    ...(plansAnew && { options: `${config.options} -c plan_cache_mode=force_custom_plan` }),
    max: poolSize,
    // Idle connections stay: a timer for each idle period would cost what `silenceOf` describes.
    idleTimeoutMillis: 0,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
  });
  const onError = (error: Error) => log.warn({ err: error }, "a database connection was lost");
  pool.on("error", onError);
  // The pool does not listen to a lent client, and an "error" without a listener ends the process.
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}

interface PreparingClient extends PostgresPoolClient {
  /** Cuts the connection if it has been silent for too long. */
  look(): void;
}

/** The pool, with clients that prepare their statements: PostgreSQL parses and plans each one once per connection. */
function preparing(pool: pg.Pool, silenceMs: number): PostgresPool {
  const clients = new Map<pg.PoolClient, PreparingClient>();
  pool.on("remove", (client) => clients.delete(client));
  const looking = setInterval(() => {
    for (const client of clients.values()) client.look();
  }, LOOK_EVERY_MS).unref();
  return {
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client) ?? prepare(client, silenceMs);
      clients.set(client, known);
      return known;
    },
    end: () => {
      clearInterval(looking);
      return pool.end();
    },
  };
}

function prepare(client: pg.PoolClient, silenceMs: number): PreparingClient {
  const names = new Map<string, string>();
  let retire = false;
  let silentSince: number | undefined;

  const run = async (statement: pg.QueryConfig) => {
    silentSince = performance.now();
    try {
      // pg types the command as text; Kysely knows those that have a type of their own.
      return (await client.query<never>(statement)) as PostgresQueryResult<never>;
    } catch (error) {
      // The connection is lost, or the server has announced its end, and the pool may not know that yet.
      if (!(error instanceof pg.DatabaseError) || error.severity === "FATAL") retire = true;
      throw error;
    } finally {
      silentSince = undefined;
    }
  };

  const query = async <R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
    if (parameters.length === 0) {
      const result = await run({ text });
      if (text === "commit" && hasRolledBack(result)) throw new TransactionAbortedError();
      return result;
    }
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    const values = [...parameters];
    try {
      return await run({ name, text, values });
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      retire = true;
      // The statement has done nothing yet. In a transaction this fails as well, since the first error has aborted it.
      return await run({ text, values }).catch(() => Promise.reject(error));
    }
  };
  return {
    // Without the overload for cursors, which only Kysely's streams use.
    query: query as PostgresPoolClient["query"],
    look: () => {
      if (silentSince === undefined || performance.now() - silentSince < silenceMs) return;
      // A waiting statement fails with this error, as with any lost connection.
      // A client has its connection, which pg's types leave out.
      const { connection } = client as pg.PoolClient & { connection: pg.Connection };
      connection.stream.destroy(new Error("Query read timeout"));
    },
    release: () => client.release(retire || names.size >= MAX_PREPARED_STATEMENTS),
  };
}

/** A migration has changed what the statement returns ("cached plan must not change result type"). */
const isStalePlan = (error: unknown) => error instanceof pg.DatabaseError && error.code === "0A000";

/** The server's answer to the commit of a transaction in which a statement had failed. */
const hasRolledBack = ({ command }: { command: string }) => command === "ROLLBACK";
