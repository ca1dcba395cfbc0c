import {
  type Database,
  DataDirectoryLockedError,
  examineServer,
  MigrationError,
  openDatabase,
  PoolerError,
  ReadOnlyError,
  type ServerFacts,
} from "@grove/db";
import { type DoctorFinding, finding, messageOf } from "@grove/schemas";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import type { Env } from "../env";
import { hasKey, openVault } from "../secrets/credentialsKey";
import { opens, sealedSamples } from "../secrets/sealed";
import { FIRST_OWNER_ADVICE, signInBlocker } from "../signIn/firstOwner";

/** The connections of one instance: three pools, the notifier, and one for migrations. */
const PER_INSTANCE = 18;
/** A notification holds a lock of the whole server until its commit is flushed. */
const SLOW_FLUSH_MS = 5;
const FAR_MS = 5;
const SKEW_MS = 5_000;

const POOLER =
  "Use PgBouncer 1.21 or later with max_prepared_statements above 0, pool_mode = session, or PostgreSQL itself.";

/** The database of either engine, and whether the key opens what is stored there. */
export async function examineDatabase(env: Env, log: FastifyBaseLogger): Promise<DoctorFinding[]> {
  try {
    if (env.databaseUrl === undefined) return await examineRows(env, log);
    const facts = await examineServer(env.databaseUrl, env.databaseDirectUrl);
    const findings = findingsFor(facts, env.migrates);
    const isReadable = facts.version.isNewEnough && facts.schema.applied > 0;
    return isReadable ? [...findings, ...(await examineRows(env, log))] : findings;
  } catch (error) {
    if (error instanceof DataDirectoryLockedError)
      return [finding.ok("database", `the server has it open (process ${error.pid})`)];
    if (error instanceof MigrationError) return [finding.fail("schema", messageOf(error), MIGRATE)];
    if (error instanceof PoolerError)
      return [
        finding.fail(
          "pooler",
          "the pooler of DATABASE_URL loses prepared statements, so every call fails",
          POOLER,
        ),
      ];
    if (error instanceof ReadOnlyError)
      return [
        finding.fail(
          "database",
          `the database is read-only: ${messageOf(error)}`,
          "Set DATABASE_URL to the primary, or to an address that follows it. If this is the primary, make it writable.",
        ),
      ];
    const what = env.databaseUrl ? "DATABASE_URL does not answer" : "the embedded database does not open";
    return [
      finding.fail(
        "database",
        `${what}: ${messageOf(error)}`,
        env.databaseUrl
          ? "Check that PostgreSQL is running there, and that the name, the password and the address are right."
          : "Restore the newest backup of DATA_DIR/backups into a new DATA_DIR.",
      ),
    ];
  }
}

function findingsFor(facts: ServerFacts, migrates: boolean): DoctorFinding[] {
  const {
    version,
    roundTripMs,
    flushMs,
    clockAheadMs,
    connections,
    heard,
    lostSettings,
    schema,
    searchIsIndexed,
  } = facts;
  const ms = (time: number) => `${time.toFixed(time < 10 ? 1 : 0)} ms`;
  const instances = Math.floor(connections.max / PER_INSTANCE);
  const seconds = Math.round(Math.abs(clockAheadMs) / 1000);
  const notified = Math.round(1000 / Math.max(flushMs, 0.02));
  return [
    version.isNewEnough
      ? finding.ok("database", `PostgreSQL ${version.name}, answers in ${ms(roundTripMs)}`)
      : finding.fail(
          "database",
          `PostgreSQL ${version.name} is too old`,
          `Upgrade it to ${version.oldest} or later.`,
        ),
    roundTripMs > FAR_MS
      ? finding.warn(
          "distance",
          `each answer takes ${ms(roundTripMs)}`,
          "Run the API in the same region as its database.",
        )
      : finding.ok("distance", ms(roundTripMs)),
    heard
      ? finding.ok("notifications", "they arrive")
      : finding.fail(
          "notifications",
          "notifications do not arrive, so devices would wait up to 20 s for a command",
          "If DATABASE_URL is a pooler's, such as PgBouncer's, set DATABASE_DIRECT_URL to PostgreSQL itself.",
        ),
    ...lostSettings.map(({ name, right }) =>
      finding.warn(
        "pooler",
        `a pooler has not passed on ${name}`,
        `Run ALTER ROLE … SET ${name} = '${right}' for the role of DATABASE_URL.`,
      ),
    ),
    Math.abs(clockAheadMs) > SKEW_MS
      ? finding.warn(
          "clock",
          `the database's clock is ${seconds} s ${clockAheadMs > 0 ? "ahead of" : "behind"} this machine's`,
          "Set both by NTP: leases and expiries are compared across them.",
        )
      : finding.ok("clock", "the same as the database's"),
    instances < 2
      ? finding.fail(
          "connections",
          `the database allows ${connections.max} connections, and an instance needs ${PER_INSTANCE}`,
          "Raise max_connections, or the limit of the role or the database: an upgrade runs two instances for a moment.",
        )
      : finding.ok(
          "connections",
          `${connections.max}, enough for ${instances} instances; ${connections.used} are in use`,
        ),
    flushMs > SLOW_FLUSH_MS
      ? finding.warn(
          "commits",
          `a commit takes ${ms(flushMs)} to reach the disk, which bounds all instances together to ${notified} notifications a second`,
          "Give PostgreSQL a faster disk, or let its standby confirm later (synchronous_commit = local).",
        )
      : finding.ok("commits", `${ms(flushMs)} to the disk, about ${notified} notifications a second`),
    findingForSchema(schema, migrates),
    ...findingsForRights(facts, migrates),
    ...findingsForDurability(facts.unsafe),
    searchIsIndexed || schema.applied === 0
      ? finding.ok("search", "indexed")
      : finding.warn(
          "search",
          "the search index is missing, so each search reads all tasks of its organization",
          "Install PostgreSQL's contrib package. Then run: CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin; CREATE INDEX tasks_search ON tasks USING gin (organization_id, search_text gin_trgm_ops) WHERE deleted_at IS NULL;",
        ),
  ];
}

const MIGRATE = "Run grove-api migrate, or remove MIGRATE=off.";

function findingForSchema(
  { unknown, pending, refusal }: ServerFacts["schema"],
  migrates: boolean,
): DoctorFinding {
  if (refusal !== undefined) return finding.fail("schema", refusal, "Run that version, or a later one.");
  if (unknown.length > 0)
    return finding.warn(
      "schema",
      `a newer version of Grove has migrated the database (${unknown.join(", ")}), and this one works with it`,
      "Upgrade the instances that are left, or keep this version only for a while.",
    );
  if (pending.length > 0 && !migrates)
    return finding.fail(
      "schema",
      `the database lacks migrations (${pending.join(", ")}) and MIGRATE is off, so the server does not start`,
      MIGRATE,
    );
  return finding.ok(
    "schema",
    pending.length > 0 ? `${pending.length} migrations run at the next start` : "current",
  );
}

function findingsForRights({ rights, schema }: ServerFacts, migrates: boolean): DoctorFinding[] {
  const { lacking, mayCreate } = rights;
  if (lacking.length > 0)
    return [
      finding.fail(
        "rights",
        `this role may not read and write ${lacking.length} tables (${lacking.slice(0, 3).join(", ")}${lacking.length > 3 ? ", …" : ""})`,
        "Use the role that owns the tables, or run: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO that role.",
      ),
    ];
  if (migrates && schema.pending.length > 0 && !mayCreate)
    return [
      finding.fail(
        "rights",
        "migrations are pending, and this role may not create tables",
        "Run grove-api migrate as the role that owns the tables, or run: GRANT CREATE ON SCHEMA public TO this role.",
      ),
    ];
  return [finding.ok("rights", "this role may read and write all tables")];
}

const findingsForDurability = (unsafe: readonly string[]): DoctorFinding[] =>
  unsafe.map((name) =>
    finding.warn(
      "durability",
      `${name} is off: a failure of the database's machine loses changes that were confirmed${name === "fsync" ? ", and may damage the database" : ""}`,
      `Set ${name} = on in postgresql.conf, and for this role and database.`,
    ),
  );

/** Checks the contents of the tables. */
async function examineRows(env: Env, log: FastifyBaseLogger): Promise<DoctorFinding[]> {
  const where = env.databaseUrl
    ? { url: env.databaseDirectUrl ?? env.databaseUrl }
    : { dataDir: env.dataDir };
  // The checks of a server have judged its schema already.
  const migrating = env.databaseUrl === undefined && !env.migrates ? "demanded" : false;
  const database = await openDatabase({ ...where, log, migrating });
  try {
    return [await examineSecrets(env, database.db), await examineAccounts(env, database.db)];
  } finally {
    await database.close();
  }
}

/** One secret of each key is opened. */
async function examineSecrets(env: Env, db: Kysely<Database>): Promise<DoctorFinding> {
  const samples = await sealedSamples(db).catch(() => []);
  const vault = hasKey(env) ? openVault(env) : undefined;
  const unreadableSamples = samples.filter((sample) => !vault || !opens(vault, sample));
  const ids = [...new Set(unreadableSamples.map(({ keyId }) => `"${keyId}"`))].join(", ");
  return unreadableSamples.length > 0
    ? finding.fail(
        "secrets",
        `stored secrets are encrypted with the key ${ids}, which ${env.databaseUrl ? "CREDENTIALS_KEY" : env.dataDir} does not have`,
        "Restore that key. If it is lost, run grove-api forget-secrets: it deletes what cannot be decrypted.",
      )
    : finding.ok("secrets", samples.length > 0 ? "the key decrypts them" : "none are stored");
}

async function examineAccounts(env: Env, db: Kysely<Database>): Promise<DoctorFinding> {
  const locked = await signInBlocker(db, env).catch(() => undefined);
  return locked === undefined
    ? finding.ok("accounts", "people can sign in")
    : finding.fail("accounts", locked, FIRST_OWNER_ADVICE);
}
