import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import pg from "pg";
import { TransactionAbortedError } from "../../errors";
import type { FairQueue } from "../fairQueue";

/**
 * A connection that has prepared this many statements is replaced: SQL of unbounded variety must not fill the server's
 * memory.
 */
const MAX_PREPARED_STATEMENTS = 500;

/** How often connections are checked for silence. */
const CHECK_EVERY_MS = 1_000;

/**
 * The server that the pools of one database connect to. After a failover, an older connection may still lead to the old
 * primary, which is read-only or dead. Such a connection is replaced before its next use.
 */
export interface Primary {
  generation: number;
}

/** After the server has refused a connection, the pool does not grow for this long. */
const GROWTH_PAUSE_MS = 1_000;
/** How long a caller retries while the server refuses connections: as long as pg waits for a connection. */
const CONNECT_TIMEOUT_MS = 15_000;

interface PreparingClient extends PostgresPoolClient {
  /** Whether the connection was made before a failover was noticed. */
  isStale(): boolean;
  /** Cuts the connection if it has been silent for too long. */
  cutIfSilent(): void;
}

/** How many callers found no idle connection in a pool, and their total wait for one. */
export interface PoolWaits {
  count: number;
  seconds: number;
}

/**
 * Wraps a pool so that its clients prepare their statements: PostgreSQL parses and plans each one once per connection.
 * @param queue decides which caller gets the next connection; by default first come, first served
 */
export function withPreparedStatements(
  pool: pg.Pool,
  silenceMs: number,
  primary: Primary = { generation: 0 },
  queue?: FairQueue,
): PostgresPool & { readonly waits: PoolWaits } {
  const clients = new Map<pg.PoolClient, PreparingClient>();
  pool.on("remove", (client) => clients.delete(client));
  const silenceCheck = setInterval(() => {
    for (const client of clients.values()) client.cutIfSilent();
  }, CHECK_EVERY_MS).unref();
  const waits: PoolWaits = { count: 0, seconds: 0 };
  const releaseByClient = new WeakMap<pg.PoolClient, () => void>();
  const connectWhenNext = async () => {
    const release = await queue?.take();
    try {
      const client = await connectOrWait(pool);
      if (release) releaseByClient.set(client, release);
      return client;
    } catch (error) {
      release?.();
      throw error;
    }
  };
  const connect = async () => {
    if (pool.idleCount > 0) return connectWhenNext();
    const began = performance.now();
    try {
      return await connectWhenNext();
    } finally {
      waits.count++;
      waits.seconds += (performance.now() - began) / 1_000;
    }
  };
  return {
    waits,
    connect: async () => {
      while (true) {
        const client = await connect();
        const prepared =
          clients.get(client) ?? prepareOn(client, silenceMs, primary, () => releaseByClient.get(client)?.());
        clients.set(client, prepared);
        if (!prepared.isStale()) return prepared;
        prepared.release();
      }
    },
    end: () => {
      clearInterval(silenceCheck);
      return pool.end();
    },
  };
}

/**
 * Takes a connection of the pool. If the server refuses a further connection, the pool's limit is lowered to its
 * current size for a moment, and the caller waits for an existing connection.
 */
async function connectOrWait(pool: pg.Pool): Promise<pg.PoolClient> {
  const end = performance.now() + CONNECT_TIMEOUT_MS;
  while (true) {
    try {
      return await pool.connect();
    } catch (error) {
      // An empty pool has no connection to wait for.
      if (!isTooManyConnections(error) || pool.totalCount === 0 || performance.now() > end) throw error;
      pauseGrowth(pool);
    }
  }
}

/** Keeps the pool from growing for a moment, so that callers use its queue. */
function pauseGrowth({ options, totalCount }: pg.Pool): void {
  const { max } = options;
  options.max = totalCount;
  setTimeout(() => {
    options.max = Math.max(options.max, max);
  }, GROWTH_PAUSE_MS).unref();
}

function prepareOn(
  client: pg.PoolClient,
  silenceMs: number,
  primary: Primary,
  onRelease: () => void,
): PreparingClient {
  const { generation } = primary;
  /** The name of each statement on this connection, by its text. */
  const names = new Map<string, string>();
  let mustReplace = false;
  let silentSince: number | undefined;

  const isStale = () => generation !== primary.generation;
  const replaceAll = () => {
    if (!isStale()) primary.generation++;
  };
  const run = async (statement: pg.QueryConfig) => {
    silentSince = performance.now();
    try {
      // pg types `command` as a string, Kysely as a union of literals.
      return (await client.query<never>(statement)) as PostgresQueryResult<never>;
    } catch (error) {
      if (isReadOnly(error)) replaceAll();
      // The connection is lost or about to be closed by the server, and the pool may not know that yet.
      if (!(error instanceof pg.DatabaseError) || error.severity === "FATAL") mustReplace = true;
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
      mustReplace = true;
      // The statement had no effect. In a transaction the retry fails, too, since the first error has aborted it.
      return await run({ text, values }).catch(() => Promise.reject(error));
    }
  };
  return {
    // Lacks the overload for cursors, which only Kysely's streams use.
    query: query as PostgresPoolClient["query"],
    isStale,
    cutIfSilent: () => {
      if (silentSince === undefined || performance.now() - silentSince < silenceMs) return;
      replaceAll();
      // pg's types omit the client's connection.
      const { connection } = client as pg.PoolClient & { connection: pg.Connection };
      // The running statement fails with this error, as with any lost connection.
      connection.stream.destroy(new Error("Query read timeout"));
    },
    release: () => {
      client.release(mustReplace || isStale() || names.size >= MAX_PREPARED_STATEMENTS);
      onRelease();
    },
  };
}

const hasCode = (error: unknown, code: string) => error instanceof pg.DatabaseError && error.code === code;

/** The server has become a standby, or its operator has made it read-only. */
const isReadOnly = (error: unknown) => hasCode(error, "25006");

/** All connections of the server, the database or the role are in use. */
const isTooManyConnections = (error: unknown) => hasCode(error, "53300");

/** A migration has changed what the statement returns ("cached plan must not change result type"). */
const isStalePlan = (error: unknown) => hasCode(error, "0A000");

/** The server's response to the commit of a transaction in which a statement had failed. */
const hasRolledBack = ({ command }: { command: string }) => command === "ROLLBACK";
