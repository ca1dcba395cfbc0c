import { messageOf } from "@grove/schemas";
import pg from "pg";
import { isAhead } from "./compatibility";
import { clientConfig } from "./engines/postgres/postgres";
import { silent } from "./log";
import { migrations } from "./migrations";
import { requirePreparedStatements } from "./pooler";
import { OLDEST } from "./postgresVersion";

/** How many commits and round trips are timed. */
const ROUNDS = 50;
const HEARD_MS = 2_000;
const CHANNEL = "grove_doctor";

/** The facts about a PostgreSQL server that matter to Grove. */
export interface ServerFacts {
  version: { name: string; isNewEnough: boolean; oldest: number };
  /** The median time of a response. */
  roundTripMs: number;
  /** The median time that a commit takes longer than that. */
  flushMs: number;
  /** How far the server's clock is ahead of this machine's. */
  clockAheadMs: number;
  /** How many connections this role may have, and how many others of it are in use. */
  connections: { max: number; used: number };
  /** Whether a notification reached a listening connection. */
  heard: boolean;
  /** Settings that a pooler in between has not passed on. */
  lostSettings: { name: string; right: string }[];
  /**
   * Applied migrations that this release does not know, pending ones, and the reason if this release is incompatible.
   */
  schema: { applied: number; unknown: string[]; pending: string[]; refusal?: string };
  /** Tables of Grove that this role may not read and write, and whether it may make new ones. */
  rights: { lacking: string[]; mayCreate: boolean };
  /** Settings that lose acknowledged changes when the server's machine fails. */
  unsafe: string[];
  /** Whether searches have their index. */
  searchIsIndexed: boolean;
}

/**
 * Measures a PostgreSQL server, without lasting writes.
 * @param directUrl where to listen, if `url` is a pooler's
 * @throws {PoolerError} when a pooler in front of it loses prepared statements
 * @throws {ReadOnlyError} when the server accepts no changes
 * @throws {Error} when there is no connection
 */
export async function examineServer(url: string, directUrl = url): Promise<ServerFacts> {
  await requirePreparedStatements(url);
  const [working, listening] = [
    new pg.Client({ ...clientConfig(url), ...limits }),
    new pg.Client(clientConfig(directUrl)),
  ];
  // A lost connection fails its statement anyway.
  for (const client of [working, listening]) client.on("error", () => {});
  try {
    await working.connect();
    await requireWritable(working);
    await listening.connect();
    const roundTripMs = await median(() => working.query("select 1"));
    const clockAheadMs = await clockAhead(working);
    return {
      version: await versionOf(working),
      roundTripMs,
      // This writes only to the write-ahead log, which the commit flushes.
      flushMs: Math.max(
        0,
        (await median(() => working.query("select pg_logical_emit_message(true, 'grove', '')"))) -
          roundTripMs,
      ),
      clockAheadMs,
      connections: await connectionsOf(working),
      heard: await hears(listening, working),
      lostSettings: await lostSettingsOf(working),
      schema: await schemaOf(working),
      rights: await rightsOf(working),
      unsafe: await unsafeOf(working),
      searchIsIndexed: await isThere(working, "tasks_search"),
    };
  } finally {
    await Promise.all([working.end(), listening.end()]);
  }
}

/** The server accepts no changes. */
export class ReadOnlyError extends Error {
  override name = "ReadOnlyError";
}

async function requireWritable(client: pg.Client): Promise<void> {
  if (await value<boolean>(client, "select pg_is_in_recovery()"))
    throw new ReadOnlyError("it is a standby, or still recovers");
  if ((await value<string>(client, "show transaction_read_only")) === "on")
    throw new ReadOnlyError("default_transaction_read_only is on");
}

async function rightsOf(client: pg.Client): Promise<ServerFacts["rights"]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
    order by relname`,
  );
  const mayCreate = await value<boolean>(client, "select has_schema_privilege(current_schema(), 'create')");
  return { lacking: rows.map(({ name }) => name), mayCreate };
}

async function unsafeOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off' order by name",
  );
  return rows.map(({ name }) => name);
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
}

const value = async <T>(client: pg.Client, statement: string, values: unknown[] = []): Promise<T> =>
  Object.values((await client.query(statement, values)).rows[0] ?? {})[0] as T;

async function clockAhead(client: pg.Client): Promise<number> {
  const began = Date.now();
  const theirs = Number(await value(client, "select extract(epoch from clock_timestamp()) * 1000"));
  return theirs - (began + Date.now()) / 2;
}

async function versionOf(client: pg.Client): Promise<ServerFacts["version"]> {
  const number = Number(await value(client, "show server_version_num"));
  return {
    name: await value(client, "show server_version"),
    isNewEnough: Math.floor(number / 10_000) >= OLDEST,
    oldest: OLDEST,
  };
}

/** A server limits all connections, and may limit the connections of a database or a role; -1 means no limit. */
async function connectionsOf(client: pg.Client): Promise<ServerFacts["connections"]> {
  const limits = await client.query(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as server,
      datconnlimit as database, rolconnlimit as role,
      (select count(*)::int from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()) as used
    from pg_database, pg_roles where datname = current_database() and rolname = current_user`,
  );
  const { server, database, role, used } = limits.rows[0];
  return { max: Math.min(...[server, database, role].filter((limit) => limit >= 0)), used };
}

async function hears(listening: pg.Client, working: pg.Client): Promise<boolean> {
  await listening.query(`listen ${CHANNEL}`);
  let late: NodeJS.Timeout | undefined;
  const notified = new Promise<boolean>((resolve) => {
    listening.once("notification", () => resolve(true));
    late = setTimeout(resolve, HEARD_MS, false);
  });
  await working.query(`notify ${CHANNEL}`);
  return notified.finally(() => clearTimeout(late));
}

/** The limits of the connections that Grove works with, in milliseconds. */
const limits = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 };

async function lostSettingsOf(client: pg.Client): Promise<ServerFacts["lostSettings"]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name = 'TimeZone' or name = any ($1) order by name",
    [Object.keys(limits)],
  );
  const wanted: Record<string, string> = { TimeZone: "UTC" };
  for (const [name, ms] of Object.entries(limits)) wanted[name] = `${ms}`;
  return rows.flatMap(({ name, setting }) =>
    setting === wanted[name] ? [] : [{ name, right: wanted[name] ?? "" }],
  );
}

async function schemaOf(client: pg.Client): Promise<ServerFacts["schema"]> {
  const knownMigrations = Object.keys(migrations);
  if (!(await isThere(client, "kysely_migration")))
    return { applied: 0, unknown: [], pending: knownMigrations };
  const { rows } = await client.query<{ name: string }>("select name from kysely_migration order by name");
  const applied = rows.map(({ name }) => name);
  return {
    applied: applied.length,
    unknown: applied.filter((name) => !knownMigrations.includes(name)),
    pending: knownMigrations.filter((name) => !applied.includes(name)),
    ...refusalOf(applied),
  };
}

function refusalOf(applied: string[]): { refusal?: string } {
  try {
    isAhead(applied, silent);
    return {};
  } catch (error) {
    return { refusal: messageOf(error) };
  }
}

const isThere = (client: pg.Client, name: string) =>
  value<boolean>(client, "select to_regclass($1) is not null", [name]);
