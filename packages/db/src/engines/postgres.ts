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

/** A connection that has prepared this many statements is replaced: SQL of ever new shapes must not fill the server. */
const maxPreparedStatements = 500;

export interface PostgresOptions {
  url: string;
  /** Most connections at a time. */
  poolSize: number;
  /** Longest a statement may run; 0 for no limit. */
  statementTimeoutMs: number;
  log: Log;
}

/** What every connection of ours has in common, the listening one included. */
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
  new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });

/** A bounded pool of connections; it connects when it is first used. */
export function createPool({ url, poolSize, statementTimeoutMs, log }: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url),
    max: poolSize,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    // For a server that has gone without a word, and so cannot end the statement itself.
    query_timeout: statementTimeoutMs && statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  const onError = (error: Error) => log.warn({ err: error }, "a database connection was lost");
  pool.on("error", onError);
  // A lent client has no listener of the pool's, and an "error" that nobody hears ends the process.
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}

/** The pool, with clients that prepare their statements: PostgreSQL parses and plans each once a connection. */
function preparing(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client) ?? prepare(client);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

function prepare(client: pg.PoolClient): PostgresPoolClient {
  const names = new Map<string, string>();
  let retire = false;

  const run = async (statement: pg.QueryConfig) => {
    try {
      return (await client.query<never>(statement)) as PostgresQueryResult<never>;
    } catch (error) {
      // The connection is lost, or the server has announced its end: the pool may not know that yet.
      if (!(error instanceof pg.DatabaseError) || error.severity === "FATAL") retire = true;
      throw error;
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
      // Nothing has been done yet. In a transaction this fails too, since the first error has ended it.
      return await run({ text, values }).catch(() => Promise.reject(error));
    }
  };
  return {
    query: query as PostgresPoolClient["query"],
    release: () => client.release(retire || names.size >= maxPreparedStatements),
  };
}

/** A migration has changed what the statement returns ("cached plan must not change result type"). */
const isStalePlan = (error: unknown) => error instanceof pg.DatabaseError && error.code === "0A000";

/** The server's answer to the commit of a transaction in which a statement had failed. */
const hasRolledBack = ({ command }: { command: string }) => command === "ROLLBACK";
