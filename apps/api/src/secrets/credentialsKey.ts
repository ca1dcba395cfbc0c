import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateVaultKey, parseVaultKeys, Vault } from "@grove/auth";
import type { Database } from "@grove/db";
import { messageOf } from "@grove/schemas";
import type { Kysely } from "kysely";
import type { Env } from "../env";
import { codeOf } from "../lib/errorCode";
import { opens, sealedSamples } from "./sealed";

type KeyEnv = Pick<Env, "vaultKeys" | "dataDir">;

/** The stored secrets cannot be read. The message is one line with the next step. */
export class CredentialsKeyError extends Error {}

const keyFile = (dataDir: string) => join(dataDir, "credentials.key");

const lostKeyAdvice =
  "Restore the right key. If it is lost, start this program with forget-secrets: it deletes what cannot be decrypted.";

/** Whether a key exists. If not, {@link openVault} creates one. */
export const hasKey = ({ vaultKeys, dataDir }: KeyEnv): boolean =>
  vaultKeys !== undefined || existsSync(keyFile(dataDir));

/**
 * Opens the vault of CREDENTIALS_KEY. With the embedded database and without that variable, the key is in
 * `DATA_DIR/credentials.key` (0600), created on the first start. The data directory must exist and belong to this
 * process.
 * @throws {Error} when the file is not readable or holds no key
 */
export function openVault({ vaultKeys, dataDir }: KeyEnv): Vault {
  if (vaultKeys) return new Vault(vaultKeys);
  const path = keyFile(dataDir);
  try {
    writeFileSync(path, `${generateVaultKey("1")}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  try {
    return new Vault(parseVaultKeys(readFileSync(path, "utf8").trim()));
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Opens the vault and checks it against the database. No key is created if secrets are stored, and one secret of each
 * key is decrypted.
 * @throws {CredentialsKeyError} when the key is missing or wrong
 */
export async function openVaultOf(db: Kysely<Database>, env: KeyEnv): Promise<Vault> {
  const samples = await sealedSamples(db);
  const path = keyFile(env.dataDir);
  if (samples.length > 0 && !hasKey(env))
    throw new CredentialsKeyError(
      `${path} is missing, and stored secrets are encrypted with it. ${lostKeyAdvice}`,
    );
  const vault = openVault(env);
  const unreadable = samples.find((sample) => !opens(vault, sample));
  if (unreadable)
    throw new CredentialsKeyError(
      `Stored secrets are encrypted with a key "${unreadable.keyId}" that ${env.vaultKeys ? "CREDENTIALS_KEY" : path} does not have. ${lostKeyAdvice}`,
    );
  return vault;
}
