import { randomInt } from "node:crypto";
import { GroveError, hashSecret } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, sql, type Transaction } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import type { Services } from "../services";
import { insertDevice } from "./insert";

/** Without vowels, so that no code is a word, and without letters that look alike (RFC 8628, section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const HALF = 4;

/** A new code, such as `BCDF-GHJK`: 34 random bits, for ten minutes, behind a rate limit. */
export function createCode(): string {
  const half = () => Array.from({ length: HALF }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${half()}-${half()}`;
}

/** The hash under which a code is stored. People type it in any case, with or without the hyphen. */
export const hashCode = (code: string): string => hashSecret(code.toUpperCase().replaceAll(/[^A-Z]/g, ""));

/** Deletes the pairings and registrations whose time is over. */
export async function deleteExpiredPairings(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom("device_pairings").where("expires_at", "<=", sql<string>`now()`).execute();
}

/** When a pairing ends that begins now. */
export const pairingEnd = sql<string>`now() + ${lifetimes.pairing}`;
export const registrationEnd = sql<string>`now() + ${lifetimes.registration}`;

/**
 * Makes the device of an approved pairing. The approval counts only while its giver is a member.
 * @returns null until the pairing is approved
 * @throws {GroveError} BAD_REQUEST `token_invalid`; PRECONDITION_FAILED `quota_exceeded`
 */
export async function finishPairing(
  trx: Transaction<Database>,
  services: Pick<Services, "quotas">,
  { secret, name, platform }: { secret: string; name: string; platform: "mac" | "windows" | "linux" },
) {
  const pairings = trx
    .selectFrom("device_pairings")
    .selectAll()
    .where("secret_hash", "=", hashSecret(secret))
    .where("expires_at", ">", sql<string>`now()`);
  const seen = await pairings.executeTakeFirst();
  if (!seen) throw invalidPairing();
  if (seen.approved_by === null || seen.organization_id === null) return null;
  // The user's row is locked first, as everywhere.
  const member = await trx
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .select("users.id")
    .where("users.id", "=", seen.approved_by)
    .where("users.disabled_at", "is", null)
    .where("memberships.organization_id", "=", seen.organization_id)
    .forShare()
    .executeTakeFirst();
  // Of two that finish together, one takes the row.
  const { numDeletedRows } = await trx
    .deleteFrom("device_pairings")
    .where("secret_hash", "=", seen.secret_hash)
    .executeTakeFirst();
  if (!member || numDeletedRows === 0n || seen.device_id === null) throw invalidPairing();
  return insertDevice(
    trx,
    services,
    { kind: "user", userId: member.id },
    {
      id: seen.device_id,
      organization_id: seen.organization_id,
      owner_id: member.id,
      name: seen.name ?? name,
      platform: seen.platform ?? platform,
      shared: seen.shared,
      secrets_allowed: seen.secrets_allowed,
    },
  );
}

const invalidPairing = () =>
  new GroveError(
    "BAD_REQUEST",
    "This pairing or registration was used, or is too old. Run `grove-device register` again.",
    { reason: "token_invalid" },
  );
