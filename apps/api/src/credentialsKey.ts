import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateVaultKey, parseVaultKeys, Vault } from "@grove/auth";
import type { Env } from "./env";

/**
 * The vault of CREDENTIALS_KEY; with the embedded database and without that variable, the one of a key in
 * `DATA_DIR/credentials.key` (0600), made on the first start. The data directory must be there, and be this process's.
 * @throws Error when the file is not readable or holds no key
 */
export function openVault({ vaultKeys, dataDir }: Pick<Env, "vaultKeys" | "dataDir">): Vault {
  if (vaultKeys) return new Vault(vaultKeys);
  const path = join(dataDir, "credentials.key");
  try {
    writeFileSync(path, `${generateVaultKey("1")}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  try {
    return new Vault(parseVaultKeys(readFileSync(path, "utf8").trim()));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
