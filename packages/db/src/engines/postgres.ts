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
import type { Database } from "../types";
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

/** Opens a bounded pool of connections; it connects when it is first used. */
export function openPostgres({ url, poolSize, statementTimeoutMs, log }: PostgresOptions): Kysely<Database> {
  const pool = new pg.Pool({
    ...clientConfig(url),
    max: poolSize,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
  });
  const onError = (error: Error) => log.warn({ err: error }, "a database connection was lost");
  pool.on("error", onError);
  // A lent client has no listener of the pool's, and an "error" that nobody hears ends the process.
  pool.on("connect", (client) => client.on("error", onError));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
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

  const query = async <R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
    if (parameters.length === 0) {
      const result = await client.query<never>(sql);
      if (sql === "commit" && result.command === "ROLLBACK") throw new TransactionAbortedError();
      return result as PostgresQueryResult<never>;
    }
    let name = names.get(sql);
    if (name === undefined) {
      name = `s${names.size}`;
      names.set(sql, name);
    }
    try {
      const result = await client.query<never>({ name, text: sql, values: [...parameters] });
      return result as PostgresQueryResult<never>;
    } catch (error) {
      // A migration changed what a statement returns ("cached plan must not change result type").
      if (error instanceof pg.DatabaseError && error.code === "0A000") retire = true;
      throw error;
    }
  };
  return {
    query: query as PostgresPoolClient["query"],
    release: () => client.release(retire || names.size >= maxPreparedStatements),
  };
}
