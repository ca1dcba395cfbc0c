import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { version } from "../../../package.json";
import type { Log } from "../../log";
import type { Database } from "../../tables";
import { FairQueue } from "../fairQueue";
import { pgTypes } from "../types";
import { type Primary, preparing } from "./prepared";

/** Connections of `db`, unless the caller chooses another number. */
const POOL_SIZE = 10;
/** Connections for the statements that keep devices online and commands moving. */
const RESERVED_POOL_SIZE = 4;
/** Connections for queries that read much: fewer than a small machine has cores to spare. */
const SLOW_POOL_SIZE = 2;

/** The longest that a statement may take. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** The longest for a statement on `slow`. */
const SLOW_TIMEOUT_MS = 5_000;

interface PostgresOptions {
  url: string;
  /** The most connections at a time. */
  poolSize: number;
  /** The longest that a statement may run; 0 for no limit. */
  statementTimeoutMs: number;
  /** The longest that a statement waits for a lock. */
  lockTimeoutMs?: number;
  /** Plans each statement for its own values, for queries whose time goes into reading and not into planning. */
  plansAnew?: boolean;
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
    pool.on("connect", (client) => ownPids.add(connectionOf(client)));
    pool.on("remove", (client) => ownPids.delete(connectionOf(client)));
    const connections = () => ({
      idle: pool.idleCount,
      busy: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    });
    const { db, waits } = openMeasured(options, pool);
    return { db, connections, waits };
  };
  return {
    /** Whether this is the number of one of these pools' connections, as the server counts them. */
    isOwn: (connection: number) => ownPids.has(connection),
    main: open({ poolSize, statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
    reserved: open({ poolSize: RESERVED_POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
    slow: open({
      poolSize: SLOW_POOL_SIZE,
      statementTimeoutMs: SLOW_TIMEOUT_MS,
      plansAnew: true,
      isFair: true,
    }),
  };
}

/** The server's number of a client's connection, which pg's types leave out. */
const connectionOf = (client: pg.ClientBase) => (client as pg.ClientBase & { processID: number }).processID;

/**
 * Fails with 25006 on a standby and on a read-only database. To leave the failure to PostgreSQL makes it the same as
 * that of any write, so that the pools replace their connections.
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

/** Opens a database on the given pool, or on its own. */
export const openPostgres = (options: PostgresOptions, pool = createPool(options)): Kysely<Database> =>
  openMeasured(options, pool).db;

function openMeasured(options: PostgresOptions, pool: pg.Pool) {
  const turns = options.isFair ? new FairQueue(options.poolSize, 1) : undefined;
  const prepared = preparing(pool, silenceOf(options), options.primary, turns);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: prepared }) });
  return { db, waits: prepared.waits };
}

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
function createPool(options: PostgresOptions): pg.Pool {
  const { url, poolSize, statementTimeoutMs, lockTimeoutMs, plansAnew = false, log } = options;
  const config = clientConfig(url);
  const pool = new pg.Pool({
    ...config,
    ...(plansAnew && { options: `${config.options} -c plan_cache_mode=force_custom_plan` }),
    // Without this, the role's own limit would hold.
    ...(statementTimeoutMs === 0 && { options: `${config.options} -c statement_timeout=0` }),
    max: poolSize,
    // Idle connections stay: a timer for each idle period would cost what `silenceOf` describes.
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
