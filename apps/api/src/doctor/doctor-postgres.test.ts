import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateVaultKey, parseVaultKeys, Vault } from "@grove/auth";
import { newId, openDatabase } from "@grove/db";
import { isHealthy } from "@grove/schemas";
import { freePort } from "@grove/testing/freePort";
import { runStatement, startPostgres } from "@grove/testing/postgres";
import { startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { sql } from "kysely";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { createLog } from "../lib/log";
import { connectionIdentity } from "../secrets/identities";
import { proxyTo, untrusted } from "../testing/proxies";
import { rewriting, withoutNotifications } from "../testing/rewriting";
import { useSmtpServer } from "../testing/smtp";
import { examine, type Overrides } from "./doctor";
import { examineDirectory } from "./machine";

/** The suite's own server does not flush, which the doctor would report. */
const postgres = await startPostgres({ fresh: true, settings: { fsync: "on" } });
afterAll(() => postgres.stop());
const DATABASE_URL = postgres.url;
const database = await openDatabase({ url: DATABASE_URL });
afterAll(() => database.close());
const { db } = database;
const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const CREDENTIALS_KEY = generateVaultKey("1");
const log = createLog("silent");
const mail = await useSmtpServer();

/** The server, and the proxy that it trusts. */
const api = startProgram([process.execPath, main], {
  env: { PATH: process.env.PATH, PORT: "0", DATABASE_URL, CREDENTIALS_KEY, TRUST_PROXY: "1" },
  endAfter: afterAll,
});
const { url } = JSON.parse(await api.waitForLine('"msg":"listening"'));
const sound = {
  DATABASE_URL,
  CREDENTIALS_KEY,
  TRUST_PROXY: "1",
  PUBLIC_URL: await proxyTo(url),
  SMTP_URL: mail.url,
  SMTP_FROM: "grove@example.com",
};
/** A shorter silence saves time. */
const quick: Overrides = { silentMs: 3_000, nodeVersion: "v24.1.0" };

/** An organization whose connection is sealed with this key. */
async function storeSecret(key: string): Promise<void> {
  const organization = { id: newId(), name: "a", slug: newId() };
  await db.insertInto("organizations").values(organization).execute();
  const row = { organization_id: organization.id, id: newId() };
  const sealed = new Vault(parseVaultKeys(key)).seal("credentials", connectionIdentity(row));
  const account = {
    kind: "codehost",
    provider: "github",
    account_id: "1",
    account_name: "a",
    sealed,
  } as const;
  await db
    .insertInto("integration_connections")
    .values({ ...row, ...account })
    .execute();
}

/** Changes the database until the test ends. */
async function change(statement: string, back: string): Promise<void> {
  await sql.raw(statement).execute(db);
  onTestFinished(() =>
    sql
      .raw(back)
      .execute(db)
      .then(() => {}),
  );
}
await storeSecret(CREDENTIALS_KEY);
const itself = new URL(DATABASE_URL).pathname.slice(1);

/** Whether a check measures times, which a busy machine prolongs, and is not the one that is tested. */
const isOfTime = (name: string, tested?: string) => ["distance", "commits"].includes(name) && name !== tested;

it("finds nothing on a sound server", async () => {
  const findings = await examine(sound, log, quick);
  expect(findings.filter(({ state, check }) => state !== "ok" && !isOfTime(check))).toEqual([]);
  expect(findings.length).toBeGreaterThanOrEqual(15);
});

it("finds nothing behind a pooler, if it may listen to PostgreSQL itself", async () => {
  const pooled = await over({ fromServer: withoutNotifications });
  const env = { ...sound, ...pooled, DATABASE_DIRECT_URL: DATABASE_URL, PUBLIC_URL: "" };
  const findings = await examine(env, log, quick);
  expect(findings.filter(({ state, check }) => state !== "ok" && !isOfTime(check))).toEqual([]);
});

it("finds nothing on a server that is busy", async () => {
  const env = { ...sound, PUBLIC_URL: await proxyTo(url, { delaysMs: 2_000 }) };
  const findings = await examine(env, log, quick);
  expect(findings.filter(({ state, check }) => state !== "ok" && !isOfTime(check))).toEqual([]);
});

interface Fault {
  check: string;
  message: RegExp;
  todo: RegExp;
  env?: Record<string, string> | (() => Promise<Record<string, string>>);
  plant?: () => Promise<void>;
  overrides?: Overrides;
  /** Other checks that the same fault shows in. */
  also?: string[];
}

const through = async (options: Parameters<typeof proxyTo>[1]) => ({
  PUBLIC_URL: await proxyTo(url, options),
});
const over = async (line: Parameters<typeof rewriting>[1]) => ({
  DATABASE_URL: await rewriting(DATABASE_URL, line),
});
const latin = (bytes: Buffer, edit: (text: string) => string) =>
  Buffer.from(edit(bytes.toString("latin1")), "latin1");

/** As if another release had run this migration. */
const migrated = (name: string) =>
  change(
    `insert into kysely_migration values ('${name}', '2030-01-01')`,
    `delete from kysely_migration where name = '${name}'`,
  );

/** As if the newest migration had not run. */
async function withoutLastMigration(): Promise<void> {
  const last = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration order by name desc limit 1`.execute(db);
  const { name = "", timestamp = "" } = last.rows[0] ?? {};
  await change(
    `delete from kysely_migration where name = '${name}'`,
    `insert into kysely_migration values ('${name}', '${timestamp}')`,
  );
}

/** Makes the whole server read-only until the test ends. */
async function makeReadOnly(): Promise<void> {
  const set = async (value: "on" | "off") => {
    await runStatement(DATABASE_URL, `alter system set default_transaction_read_only = ${value}`);
    await runStatement(DATABASE_URL, "select pg_reload_conf()");
    const current = () => sql`show default_transaction_read_only`.execute(db);
    await expect.poll(current).toMatchObject({ rows: [{ default_transaction_read_only: value }] });
  };
  await set("on");
  onTestFinished(() => set("off"));
}

/** The environment of a role that has only the given rights. */
async function withRole(rights: string): Promise<Record<string, string>> {
  await change(
    `create role reader login password 'reader'; ${rights}`,
    "drop owned by reader; drop role reader",
  );
  const url = new URL(DATABASE_URL);
  url.username = "reader";
  url.password = "reader";
  return { DATABASE_URL: url.href, PUBLIC_URL: "" };
}

const faults: Record<string, Fault> = {
  "a wrong variable": {
    env: { SIGN_UP: "perhaps" },
    check: "variables",
    message: /SIGN_UP/,
    todo: /Correct it/,
  },
  "a database that does not answer": {
    env: async () => ({ DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none` }),
    check: "database",
    message: /ECONNREFUSED/,
    todo: /PostgreSQL is running/,
  },
  "an old PostgreSQL": {
    env: () =>
      over({ fromServer: (bytes) => latin(bytes, (text) => text.replace(/1[5-9]00\d\d/, "140001")) }),
    check: "database",
    message: /too old/,
    todo: /15 or later/,
  },
  "a pooler that loses notifications": {
    env: () => over({ fromServer: withoutNotifications }),
    check: "notifications",
    message: /notifications do not arrive/,
    todo: /PgBouncer.*DATABASE_DIRECT_URL/,
  },
  "a pooler that loses the settings of connections": {
    env: () =>
      over({
        fromClient: (bytes) =>
          latin(bytes, (text) => text.replace("statement_timeout\x0030000", "statement_timeout\x0000000")),
      }),
    check: "pooler",
    message: /passed on statement_timeout/,
    todo: /ALTER ROLE … SET statement_timeout = '30000'/,
  },
  "a database far away": {
    env: () => over({ delayMs: () => 15 }),
    check: "distance",
    message: /each answer takes \d+ ms/,
    todo: /same region/,
  },
  "a disk that flushes slowly": {
    env: () => over({ delayMs: (bytes) => (bytes.includes("pg_logical_emit_message") ? 15 : 0) }),
    check: "commits",
    message: /takes \d+ ms to reach the disk/,
    todo: /faster disk/,
  },
  "a clock that is ahead": {
    plant: async () => {
      await change(
        "create schema ahead; create function ahead.clock_timestamp() returns timestamptz language sql as $$ select now() + interval '90 s' $$",
        "drop schema ahead cascade",
      );
      await change(
        `alter database ${itself} set search_path = ahead, pg_catalog, public`,
        `alter database ${itself} reset search_path`,
      );
    },
    check: "clock",
    message: /90 s ahead/,
    todo: /NTP/,
  },
  "too few connections": {
    plant: () =>
      change(`alter database ${itself} connection limit 20`, `alter database ${itself} connection limit -1`),
    check: "connections",
    message: /allows 20 connections/,
    todo: /max_connections/,
  },
  "a newer schema": {
    plant: () => migrated("9998_future"),
    check: "schema",
    message: /9998_future/,
    todo: /Upgrade the instances/,
  },
  "a schema that needs a newer release": {
    plant: () => migrated("9998_future_needs_99_0_0"),
    check: "schema",
    message: /needs Grove 99\.0\.0/,
    todo: /Run that version/,
  },
  "a migration that is pending while MIGRATE is off": {
    env: { MIGRATE: "off", PUBLIC_URL: "" },
    plant: withoutLastMigration,
    check: "schema",
    message: /lacks migrations .*MIGRATE is off/,
    todo: /grove-api migrate/,
  },
  "a read-only database": {
    plant: makeReadOnly,
    check: "database",
    message: /read-only: default_transaction_read_only is on/,
    todo: /the primary/,
  },
  "a role that may only read": {
    env: () => withRole("grant select on all tables in schema public to reader"),
    check: "rights",
    message: /may not read and write \d+ tables \(agent/,
    todo: /GRANT SELECT, INSERT/,
  },
  "a role that may not write one table": {
    env: () =>
      withRole(
        "grant select, insert, update, delete on all tables in schema public to reader; revoke update on users from reader",
      ),
    check: "rights",
    message: /may not read and write 1 tables \(users\)/,
    todo: /GRANT SELECT, INSERT/,
  },
  "a server that does not flush": {
    env: async () => {
      const careless = await startPostgres({ fresh: true, settings: { fsync: "off" } });
      onTestFinished(() => careless.stop());
      return { DATABASE_URL: careless.url, PUBLIC_URL: "" };
    },
    check: "durability",
    message: /fsync is off.*may damage/,
    todo: /fsync = on/,
  },
  "commits that are confirmed before they are flushed": {
    plant: () =>
      change(
        `alter database ${itself} set synchronous_commit = off`,
        `alter database ${itself} reset synchronous_commit`,
      ),
    check: "durability",
    message: /synchronous_commit is off/,
    todo: /synchronous_commit = on/,
  },
  "a search without its index": {
    plant: () => change("alter index tasks_search rename to away", "alter index away rename to tasks_search"),
    check: "search",
    message: /search index is missing/,
    todo: /pg_trgm/,
  },
  "a lost key": {
    env: { CREDENTIALS_KEY: generateVaultKey("2"), PUBLIC_URL: "" },
    check: "secrets",
    message: /the key "1"/,
    todo: /Restore that key.*forget-secrets/,
  },
  "an installation that no one can enter": {
    env: { SIGN_UP: "invite", PUBLIC_URL: "" },
    check: "accounts",
    message: /SIGN_UP=invite/,
    todo: /OWNER_EMAIL/,
  },
  "a closed installation without an account": {
    env: { SIGN_UP: "closed", PUBLIC_URL: "" },
    check: "accounts",
    message: /SIGN_UP=closed/,
    todo: /SIGN_UP=first/,
  },
  "another server's key": {
    env: { CREDENTIALS_KEY: generateVaultKey("1"), PUBLIC_URL: sound.PUBLIC_URL },
    also: ["secrets"],
    check: "address",
    message: /does not accept this CREDENTIALS_KEY/,
    todo: /own environment/,
  },
  "an address where no server answers": {
    env: async () => ({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` }),
    check: "address",
    message: /cannot be reached/,
    todo: /Check that the server is running/,
  },
  "an untrusted certificate": {
    env: async () => ({ PUBLIC_URL: await untrusted() }),
    check: "certificate",
    message: /not trusted/,
    todo: /NODE_EXTRA_CA_CERTS/,
  },
  "a proxy that replaces the host": {
    env: () => through({ host: "upstream.internal" }),
    check: "host",
    message: /421/,
    todo: /proxy_set_header Host/,
  },
  "a proxy that holds streams back": {
    env: () => through({ holds: true }),
    check: "stream",
    message: /buffers the stream/,
    todo: /proxy_buffering off/,
  },
  "a proxy that cuts silent streams": {
    env: () => through({ cutsMs: 100 }),
    check: "silence",
    message: /cut off/,
    todo: /proxy_read_timeout/,
  },
  "a proxy too many": {
    env: () => through({ adds: "192.0.2.1, 192.0.2.2" }),
    check: "proxies",
    message: /one address, and share/,
    todo: /TRUST_PROXY=2/,
  },
  "trust in a proxy that is not there": {
    env: () => through({ adds: "" }),
    check: "proxies",
    message: /forge their address/,
    todo: /TRUST_PROXY=false/,
  },
  "a mail server that does not answer": {
    env: async () => ({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }),
    check: "mail",
    message: /ECONNREFUSED/,
    todo: /SMTP_URL/,
  },
  "a Node without updates": {
    overrides: { nodeVersion: "v20.19.0" },
    check: "node",
    message: /no security updates since 2026-04-30/,
    todo: /long-term support/,
  },
};

it.each(Object.entries(faults))("finds %s", async (_, fault) => {
  const { check, message, todo, env, plant, overrides, also = [] } = fault;
  await plant?.();
  const planted = typeof env === "function" ? await env() : env;
  // Without an address to check, the other checks finish sooner.
  const around = planted && "PUBLIC_URL" in planted ? sound : { ...sound, PUBLIC_URL: "" };
  const findings = await examine({ ...around, ...planted }, log, { ...quick, ...overrides });
  const found = findings.filter(({ state, check: name }) => state !== "ok" && !isOfTime(name, check));
  expect(found.map((finding) => finding.check)).toEqual([...also, check]);
  expect(found.at(-1)).toMatchObject({
    message: expect.stringMatching(message),
    todo: expect.stringMatching(todo),
  });
});

it("finds what is wrong with the directory of an embedded database", async () => {
  const dataDir = await temporaryDirectory(onTestFinished);
  mkdirSync(join(dataDir, "pgdata"));
  mkdirSync(join(dataDir, "backups"));
  writeFileSync(join(dataDir, "credentials.key"), CREDENTIALS_KEY, { mode: 0o600 });
  writeFileSync(join(dataDir, "pgdata", "PG_VERSION"), "18\n");
  const look = (minFreeBytes: number) =>
    examineDirectory({ dataDir, vaultKeys: undefined }, { minFreeBytes });
  expect(isHealthy(await look(1))).toBe(true);
  expect((await look(1)).map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
  chmodSync(join(dataDir, "credentials.key"), 0o644);
  writeFileSync(join(dataDir, "backups", "grove-2026-01-01T03-00-00Z.backup.gz"), "");
  expect(await look(Number.MAX_SAFE_INTEGER)).toMatchObject([
    { check: "disk", state: "fail", todo: expect.stringContaining("Free some space") },
    { check: "key file", state: "fail", todo: expect.stringContaining("chmod 600") },
    {
      check: "backups",
      state: "warn",
      message: expect.stringContaining("2026-01-01T03:00"),
      todo: expect.stringContaining("Start the server"),
    },
  ]);
});

it("is a command, for people and for programs, and reports a low limit of open files", async () => {
  const doctor = (command: string) =>
    startProgram(["sh", "-c", `ulimit -n 512; ${command}`, process.execPath, main], {
      env: { PATH: process.env.PATH, DATABASE_URL, CREDENTIALS_KEY },
      endAfter: onTestFinished,
    }).ended;
  const { code, stdout } = await doctor('exec "$0" "$1" doctor --json');
  const { healthy, findings } = JSON.parse(stdout);
  expect([code, healthy]).toEqual([0, true]);
  expect(findings).toContainEqual({
    check: "files",
    state: "warn",
    message: "a process may open 512 files, enough for about 256 devices",
    todo: expect.stringContaining("LimitNOFILE"),
  });
  const words = await doctor('DATABASE_URL=nonsense exec "$0" "$1" doctor');
  expect(words.code).toBe(1);
  expect(words.stdout).toMatch(
    /^fail {2}variables {6}DATABASE_URL: must be a postgres:\/\/ URL\n {21}→ Correct it/,
  );
  expect(words.stdout + stdout).not.toContain(CREDENTIALS_KEY.slice(2));
});
