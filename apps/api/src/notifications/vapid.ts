import type { Vault } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Kysely } from "kysely";
import { pushKeyIdentity } from "../secrets/identities";

export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** Reads the key pair of this service. The first call creates it. */
export async function readPushKeys(db: Kysely<Database>, vault: Vault): Promise<PushKeys> {
  const stored = await read(db, vault);
  if (stored) return stored;
  const { default: webPush } = await import("web-push");
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await db
    .insertInto("push_keys")
    .values({ public_key: publicKey, sealed: vault.seal(privateKey, pushKeyIdentity()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another instance may have stored its keys first.
  const kept = await read(db, vault);
  if (!kept) throw new Error("The push keys were deleted while they were read.");
  return kept;
}

async function read(db: Kysely<Database>, vault: Vault): Promise<PushKeys | undefined> {
  const row = await db.selectFrom("push_keys").select(["public_key", "sealed"]).executeTakeFirst();
  return row && { publicKey: row.public_key, privateKey: vault.open(row.sealed, pushKeyIdentity()) };
}
