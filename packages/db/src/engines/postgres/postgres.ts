import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { version } from "../../../package.json";
import type { Log } from "../../log";
import type { Database } from "../../tables";
import { FairQueue } from "../fairQueue";
import { pgTypes } from "../types";
import { type Primary, withPreparedStatements } from "./prepared";

/** The default number of connections of `db`. */
const POOL_SIZE = 10;
/** Connections for the statements that keep devices online and commands moving. */
const RESERVED_POOL_SIZE = 4;
/** Connections for queries that read much: fewer than a small machine has cores to spare. */
const SLOW_POOL_SIZE = 2;

/** The longest that a statement may run. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** The longest that a statement on `slow` may run. */
const SLOW_TIMEOUT_MS = 5_000;

interface PostgresOptions {
  url: string;
  /** The most connections at a time. */
  poolSize: number;
  /** The longest that a statement may run; 0 for no limit. */
  statementTimeoutMs: number;
  /** The longest that a statement waits for a lock. */
  lockTimeoutMs?: number;
  /**
   * Plans each statement for its parameter values: for queries that read much, for which planning time is negligible.
   */
  forceCustomPlan?: boolean;
  /** Shared by the pools of one database. */
  primary?: Primary;
  /** Lends the connections in turn between callers, and at most one to each. */
  isFair?: boolean;
  log: Log;
}

/** Opens the three pools of a database: `main`, `reserved` and `slow`. See `GroveDatabase` for their uses. */
export function openPools(url: string, log: Log, poolSize = POOL_SIZE) {
  const ownPids = new Set<number>();
  const primary: Primary = { generation: 0 };
  const open = (settings: Omit<PostgresOptions, "url" | "log" | "primary">) => {
    const options = { url, log, primary, ...settings };
    const pool = createPool(options);
    pool.on("connect", (client) => ownPids.add(pidOf(client)));
    pool.on("remove", (client) => ownPids.delete(pidOf(client)));
    const connections = () => ({
      idle: pool.idleCount,
      busy: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    });
    const { db, waits } = openMeasured(options, pool);
    return { db, connections, waits };
  };
  return {
    /** Whether this is the server's process id of a connection of these pools. */
    isOwn: (pid: number) => ownPids.has(pid),
    main: open({ poolSize, statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
    reserved: open({ poolSize: RESERVED_POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
    slow: open({
      poolSize: SLOW_POOL_SIZE,
      statementTimeoutMs: SLOW_TIMEOUT_MS,
      forceCustomPlan: true,
      isFair: true,
    }),
  };
}

/** Returns the process id of a client's connection on the server, which pg's types omit. */
const pidOf = (client: pg.ClientBase) => (client as pg.ClientBase & { processID: number }).processID;

/**
 * Fails with 25006 on a standby and on a read-only database. Every write there fails with this code, so the pools
 * replace their connections.
 */
export const REQUIRE_WRITABLE = `do $$ begin
  if current_setting('transaction_read_only')::bool then
    raise read_only_sql_transaction using message = 'the database is read-only';
  end if;
end $$`;

/** The settings of every connection, including the listening one. */
export const clientConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: `grove ${version}`,
  connectionTimeoutMillis: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // Compiling a statement takes as long as running it, and seconds if its cost is overestimated.
  options: "-c TimeZone=UTC -c jit=off",
  types: pgTypes,
});

/** Opens a database on the given pool, or on a new one. */
export const openPostgres = (options: PostgresOptions, pool = createPool(options)): Kysely<Database> =>
  openMeasured(options, pool).db;

function openMeasured(options: PostgresOptions, pool: pg.Pool) {
  const queue = options.isFair ? new FairQueue(options.poolSize, 1) : undefined;
  const prepared = withPreparedStatements(pool, maxSilenceMs(options), options.primary, queue);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: prepared }) });
  return { db, waits: prepared.waits };
}

/**
 * Returns how long a connection may be silent during a statement. A server that disappeared without closing the
 * connection cannot end the statement itself.
 *
 * pg's own query_timeout is not used. A timer for each statement links the objects of a busy server's requests, and
 * V8's collector of young objects then keeps dead objects for long (a tenth of the list's p99).
 */
const maxSilenceMs = ({ statementTimeoutMs }: PostgresOptions): number =>
  statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + 5_000;

/** Creates a bounded pool of connections, which are opened when they are first needed. */
function createPool(options: PostgresOptions): pg.Pool {
  const { url, poolSize, statementTimeoutMs, lockTimeoutMs, forceCustomPlan = false, log } = options;
  const config = clientConfig(url);
  const pool = new pg.Pool({
    ...config,
    ...(forceCustomPlan && { options: `${config.options} -c plan_cache_mode=force_custom_plan` }),
    // Without this, the role's own limit would apply.
    ...(statementTimeoutMs === 0 && { options: `${config.options} -c statement_timeout=0` }),
    max: poolSize,
    // Idle connections stay open: a timer for each idle period would have the cost that `maxSilenceMs` describes.
    idleTimeoutMillis: 0,
    statement_timeout: statementTimeoutMs,
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
    idle_in_transaction_session_timeout: 60_000,
  });
  const onError = (error: Error) => log.warn({ err: error }, "a database connection was lost");
  pool.on("error", onError);
  // The pool does not listen to a lent client, and an "error" without a listener ends the process.
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}
