import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../lib/errorCode";

/**
 * Reads the key in `DATA_DIR/proof.key` (0600), or creates it on the first start. A program that can read the key can
 * distinguish this Grove from a program that took its port. The data directory must exist and belong to this process.
 */
export function readProofKey(dataDir: string): string {
  const path = join(dataDir, "proof.key");
  try {
    writeFileSync(path, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const key = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new Error(`${path} holds no key. Remove it: a new one will be created.`);
  return key;
}
