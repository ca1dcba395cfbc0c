import { existsSync, lstatSync } from "node:fs";
import { rm, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  BackupError,
  type CheckedBackup,
  openBackup,
  openDatabase,
  restoreBackup,
  writeBackup,
} from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import type { Env } from "../env";
import { describeBackup } from "../maintenance/backups";
import { CredentialsKeyError, hasKey, openVault } from "../secrets/credentialsKey";
import { forgetUnreadable, opens } from "../secrets/sealed";
import { rowsText, say, showProgress, sizeText } from "./progress";

const databaseLocation = ({ databaseUrl, databaseDirectUrl, dataDir }: Env) =>
  databaseUrl ? { url: databaseDirectUrl ?? databaseUrl } : { dataDir };

/** `grove-api backup <file>`: writes everything that the database holds into a file, whatever its schema's version. */
export async function backup(args: string[], env: Env, log: FastifyBaseLogger): Promise<void> {
  const path = fileOf(args, "backup <file>");
  if (!env.databaseUrl && !existsSync(join(env.dataDir, "pgdata")))
    throw new BackupError(`There is no database in ${env.dataDir}. Set DATA_DIR or DATABASE_URL.`);
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  const database = await openDatabase({ ...databaseLocation(env), log, migrating: false });
  const progress = showProgress("Backed up");
  try {
    const { rows, bytes } = await writeBackup(database, path, describeBackup, {
      progress,
      signal: stop.signal,
    });
    progress.end();
    say(`Backed up ${rowsText(rows)} in ${path} (${sizeText(bytes)}).`);
    if (!env.databaseUrl)
      say(
        `Keep ${join(env.dataDir, "credentials.key")} too, elsewhere: without it, the secrets cannot be decrypted.`,
      );
  } catch (error) {
    progress.end();
    if (!stop.signal.aborted) throw error;
    throw new BackupError("Stopped. No backup was made.");
  } finally {
    await database.close();
  }
}

/** `grove-api restore <file>`: puts a backup into an empty database of either engine, and migrates it. */
export async function restore(args: string[], env: Env, log: FastifyBaseLogger): Promise<void> {
  const forgetsSecrets = args.includes("--forget-secrets");
  const path = fileOf(
    args.filter((argument) => argument !== "--forget-secrets"),
    "restore <file> [--forget-secrets]",
  );
  say(`Checking ${path}`);
  const checked = await openBackup(path);
  if (!forgetsSecrets) requireKeys(checked, env);
  const rollBack = createDatabaseRollback(env);
  try {
    await load(checked, env, log);
    await migrateRestored(forgetsSecrets, env, log);
  } catch (error) {
    // The state of the disk is read before the removal frees space.
    const reason = await explainFull(error, env);
    await rollBack();
    throw reason;
  }
}

async function load(checked: CheckedBackup, env: Env, log: FastifyBaseLogger): Promise<void> {
  const database = await openDatabase({ ...databaseLocation(env), log, migrating: false });
  const progress = showProgress("Restored");
  try {
    await restoreBackup(database.db, checked, progress);
  } finally {
    progress.end();
    await database.close();
  }
  const { release, engine, createdAt } = checked.header;
  say(`Restored ${rowsText(checked.total)} of ${createdAt} (Grove ${release}, ${engine}).`);
}

/** Migrates the restored database. */
async function migrateRestored(forgetsSecrets: boolean, env: Env, log: FastifyBaseLogger): Promise<void> {
  const migrated = await openDatabase({ ...databaseLocation(env), log });
  try {
    if (!forgetsSecrets) return;
    const vault = openVault(env);
    const secrets = await migrated.db.transaction().execute((trx) => forgetUnreadable(trx, vault));
    say(`Deleted ${secrets} stored secrets that no key decrypts.`);
  } finally {
    await migrated.close();
  }
}

/** @returns a function that removes the new embedded database; it does nothing if the database already existed */
function createDatabaseRollback({ databaseUrl, dataDir }: Env): () => Promise<void> {
  const pgdata = join(dataDir, "pgdata");
  if (databaseUrl !== undefined || lstatSync(pgdata, { throwIfNoEntry: false })) return async () => {};
  return () => rm(pgdata, { recursive: true, force: true });
}

/** With less free space than this, the embedded engine cannot write: it writes its log in segments of 16 MiB. */
const FULL_BYTES = 32 * 1024 * 1024;

/** Explains a full disk: the embedded engine's own errors would name other reasons. */
async function explainFull(error: unknown, { databaseUrl, dataDir }: Env): Promise<unknown> {
  if (databaseUrl !== undefined || !existsSync(dataDir)) return error;
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize >= FULL_BYTES
    ? error
    : new BackupError(
        `The disk of ${dataDir} is full, so the backup was not restored. Free some space or choose another DATA_DIR, then restore again.`,
        { cause: error },
      );
}

/** @throws {CredentialsKeyError} when the backup's secrets would be lost */
function requireKeys({ header: { sealed } }: CheckedBackup, env: Env): void {
  if (sealed.length === 0) return;
  const where = env.databaseUrl
    ? "CREDENTIALS_KEY"
    : `CREDENTIALS_KEY or ${join(env.dataDir, "credentials.key")}`;
  const vault = hasKey(env) ? openVault(env) : undefined;
  const unreadableSamples = sealed.filter((sample) => !vault || !opens(vault, sample));
  const ids = [...new Set(unreadableSamples.map(({ keyId }) => `"${keyId}"`))].join(", ");
  if (unreadableSamples.length === sealed.length)
    throw new CredentialsKeyError(
      `The backup's secrets are encrypted with the key ${ids}, which ${where} does not have. Put that key there: an embedded database has it in its DATA_DIR/credentials.key. If it is lost, add --forget-secrets, which deletes them. Nothing was restored.`,
    );
  if (unreadableSamples.length > 0)
    say(
      `Some secrets are encrypted with the key ${ids}, which ${where} does not have. Add it before you start the server.`,
    );
}

function fileOf(args: string[], usage: string): string {
  const [file, ...rest] = args;
  if (file === undefined || file.startsWith("-") || rest.length > 0)
    throw new BackupError(`Give exactly one file: grove-api ${usage}`);
  return resolve(file);
}
