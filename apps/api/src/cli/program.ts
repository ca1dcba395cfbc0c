import { once } from "node:events";
import { existsSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import {
  addBackup,
  BackupError,
  DataDirectoryLockedError,
  type GroveDatabase,
  openDatabase,
  templateName,
} from "@grove/db";
import { messageOf } from "@grove/schemas";
import { endTracing, startTracing } from "@grove/tracing";
import type { FastifyBaseLogger } from "fastify";
import { version } from "../../package.json";
import { type Env, readEnv } from "../env";
import { readProofKey } from "../http/proofKey";
import { codeOf } from "../lib/errorCode";
import { createLog } from "../lib/log";
import { backupDirectory, describeBackup } from "../maintenance/backups";
import { CredentialsKeyError, openVault, openVaultOf } from "../secrets/credentialsKey";
import { reencrypt } from "../secrets/reencrypt";
import { forgetUnreadable } from "../secrets/sealed";
import { type RunningServer, start } from "../server";
import type { Config } from "../services";
import { FIRST_OWNER_ADVICE, makeFirstOwner, signInBlocker } from "../signIn/firstOwner";
import { backup, restore } from "./backup";
import { doctor } from "./doctor";
import { runService } from "./service";

/** How long shutting down may take after the devices were disconnected. */
const SHUTDOWN_MS = 10_000;

const help = `grove-api [<command>]

  serve           serve the API (the default)
  health          exit with 0 if the API of this machine answers, for supervisors
  doctor          check the settings, the database, the address and the machine; --json for programs
  migrate         bring the database up to this release, then exit
  service print   print a unit for systemd; service install: write it, and start it
  backup <file>   write everything that the database holds into one file; PostgreSQL's server may keep running
  restore <file>  load a backup file into an empty database of either engine, then migrate it
                  --forget-secrets: even if the key is lost, and without the secrets that it had encrypted
  reencrypt       encrypt all stored secrets with the first key of CREDENTIALS_KEY, then exit
  forget-secrets  delete the stored secrets that no key decrypts, then exit
  --help          show this
  --version       show the version

It is configured by its environment: PORT, HOST, DATABASE_URL, DATA_DIR, PUBLIC_URL and more, as its README says.
`;

/**
 * Runs the command in the program's arguments, which is `serve` by default, until a signal ends it.
 * @param sweeper replaces some of the sweeper's times, for tests of faults
 */
export function runProgram(sweeper?: Config["sweeper"]): void {
  main(sweeper).catch((error: Error) => {
    // Written before the thread ends: its own stderr would lose it.
    writeSync(2, `${error.message}\n`);
    process.exit(1);
  });
}

async function main(sweeper: Config["sweeper"]): Promise<void> {
  const [command = "serve", ...args] = process.argv.slice(2);
  if (["--help", "-h", "help"].includes(command)) return void process.stdout.write(help);
  if (["--version", "-V"].includes(command)) return void process.stdout.write(`${version}\n`);
  if (command === "doctor") return doctor(args);
  const onFile = { backup, restore }[command];
  if (command === "service") return runService(args[0]);
  const onDatabase = { serve: null, migrate, reencrypt: reencryptSecrets, "forget-secrets": forgetSecrets }[
    command
  ];
  if (onDatabase === undefined && onFile === undefined)
    throw new Error(`Unknown command "${command}". Run grove-api --help for a list.`);
  // V8 would learn to allocate objects that live as long as a request directly in the old generation. There they, and
  // all that they refer to, survive until the next full collection. With this turned off, collections take a third of
  // the time.
  setFlagsFromString("--no-allocation-site-pretenuring");
  const env = readEnv();
  const log = createLog(env.logLevel);
  await startTracing({
    endpoint: command === "serve" ? env.otlpEndpoint : undefined,
    service: "grove-api",
    version,
    onProblem: (problem) => log.warn({ problem }, "spans could not be sent"),
  });
  const explained = (error: unknown): never => {
    throw new Error(explain(error, env), { cause: error });
  };
  if (onFile) return onFile(args, env, log).catch(explained);
  // Opening the database creates it, which would be useless if the port is taken.
  if (command === "serve") await requirePort(env).catch(explained);
  const database = await open(env, log, command).catch(explained);
  if (onDatabase) {
    try {
      return await onDatabase(env, database, log);
    } finally {
      await database.close();
    }
  }
  const served = {
    webDir: env.webDir ?? builtAssetPath("../../web/dist", "./console"),
    deviceTarball: builtAssetPath("../../device/dist/grove-device.tgz", "./grove-device.tgz"),
  };
  const config = { ...env, ...served, ...(sweeper && { sweeper }) };
  const server = await serve(env, config, database, log).catch(async (error) => {
    await database.close();
    return explained(error);
  });
  if (env.ownerEmail !== undefined) await makeFirstOwner(server.services, env.ownerEmail);
  const locked = await signInBlocker(database.db, env);
  if (locked !== undefined) log.error({ todo: FIRST_OWNER_ADVICE }, `no one can sign in: ${locked}`);
  if (config.webDir === undefined) log.info("there is no console to serve");
  log.info({ url: server.url, database: database.engine }, "listening");
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => shutDown(server, database, signal));
}

/** An embedded database is backed up before it is migrated. */
const open = (
  { databaseUrl, databaseDirectUrl: directUrl, dataDir, migrates }: Env,
  log: FastifyBaseLogger,
  command: string,
) =>
  openDatabase({
    migrating: migrates || command === "migrate" || "demanded",
    ...(databaseUrl
      ? { url: databaseUrl, directUrl }
      : { dataDir, template: builtAssetPath(`./${templateName}`) }),
    log,
    beforeMigration: async (database) => {
      const { path, rows } = await addBackup(database, backupDirectory(dataDir), describeBackup);
      log.info({ path, rows }, "backed up before the migration");
    },
  });

const serve = async (env: Env, config: Config, database: GroveDatabase, log: FastifyBaseLogger) =>
  start({
    ...env,
    database,
    config: { ...config, ...embedded(env) },
    vault: await openVaultOf(database.db, env),
    log,
  });

/** Returns the path of another package's build: its `dist` in a clone, or next to this file in the tarball. */
const builtAssetPath = (...candidates: string[]): string | undefined =>
  candidates.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((path) => existsSync(path));

/** Returns the settings of an embedded database. A team's server needs no proof key: clients reach it over TLS. */
const embedded = ({ databaseUrl, dataDir }: Env) =>
  databaseUrl ? {} : { disk: { dataDir }, backups: { dataDir }, proofKey: readProofKey(dataDir) };

/** @throws {Error} Node's error if the port is in use or the address is not available */
async function requirePort({ host, port }: Env): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, "listening");
  probe.close();
  await once(probe, "close");
}

/** Opening the database has migrated it. */
async function migrate(_env: Env, _database: GroveDatabase, log: FastifyBaseLogger): Promise<void> {
  log.info("the database is up to date");
}

async function reencryptSecrets(env: Env, database: GroveDatabase, log: FastifyBaseLogger): Promise<void> {
  log.info({ secrets: await reencrypt(database, openVault(env)) }, "re-encrypted");
}

async function forgetSecrets(env: Env, { db }: GroveDatabase, log: FastifyBaseLogger): Promise<void> {
  const vault = openVault(env);
  const secrets = await db.transaction().execute((trx) => forgetUnreadable(trx, vault));
  log.info({ secrets }, "deleted unreadable secrets");
}

function shutDown(server: RunningServer, database: GroveDatabase, signal: string): void {
  const { log } = server.services;
  log.info({ signal }, "shutting down");
  const late = setTimeout(
    () => {
      log.error("shutting down took too long");
      process.exit(1);
    },
    SHUTDOWN_MS + (server.services.config.drainMs ?? 0),
  );
  late.unref();
  const closing = async () => {
    await server.close();
    await database.close();
    await endTracing();
  };
  closing().then(
    () => log.info("shut down"),
    (error) => {
      log.error({ err: error }, "shutting down failed");
      process.exitCode = 1;
    },
  );
}

/** Explains a failed start in one line with the next step. */
function explain(error: unknown, env: Env): string {
  const code = codeOf(error);
  if (code === "EADDRINUSE")
    return `Port ${env.port} on ${env.host} is already in use. Stop the program that uses it, or set PORT to another one.`;
  if (code === "EADDRNOTAVAIL") return `HOST ${env.host} is not an address of this machine.`;
  if (code === "EACCES")
    return `Not allowed to listen on ${env.host}:${env.port}, or to write ${env.dataDir}.`;
  if ([DataDirectoryLockedError, CredentialsKeyError, BackupError].some((kind) => error instanceof kind))
    return messageOf(error);
  if (env.databaseUrl) return `Cannot open the database of DATABASE_URL: ${messageOf(error)}`;
  return messageOf(error);
}
