import { randomInt } from "node:crypto";
import { createToken, GroveError, hashSecret, isAtLeast, type SessionPrincipal } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import type {
  DeviceApprovePairingInput,
  DeviceCreateRegistrationInput,
  DeviceGetPairingInput,
  DevicePairing,
  DeviceRequestPairingInput,
} from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import { stayMember } from "../organizations/members";
import type { Services } from "../services";

/** Without vowels, so that no code is a word, and without letters that look alike (RFC 8628, section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const HALF_LENGTH = 4;

/**
 * Returns a code such as `BCDF-GHJK`. Its 34 random bits suffice: it expires in ten minutes, and guesses are limited.
 */
function createCode(): string {
  const half = () => Array.from({ length: HALF_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${half()}-${half()}`;
}

/** The hash under which a code is stored. People type it in any case, with or without the hyphen. */
const hashCode = (code: string): string => hashSecret(code.toUpperCase().replaceAll(/[^A-Z]/g, ""));

/** Deletes the pairings and registrations whose time is over. */
export async function deleteExpiredPairings(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom("device_pairings").where("expires_at", "<=", sql<string>`now()`).execute();
}

/** When a pairing ends that begins now. */
const pairingEnd = sql<string>`now() + ${lifetimes.pairing}`;
const registrationEnd = sql<string>`now() + ${lifetimes.registration}`;

/**
 * Begins a pairing.
 * @throws {GroveError} TOO_MANY_REQUESTS `rate_limited`
 */
export async function requestPairing(
  { database, limits }: Pick<Services, "database" | "limits">,
  network: string,
  input: DeviceRequestPairingInput,
) {
  limits.address.take(network);
  const { token, hash } = createToken();
  const code = createCode();
  const { expires_at } = await database.db
    .insertInto("device_pairings")
    .values({
      secret_hash: hash,
      code_hash: hashCode(code),
      name: input.name,
      platform: input.platform,
      agent_version: input.agentVersion,
      ip: network,
      expires_at: pairingEnd,
    })
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return { secret: token, code, expiresAt: expires_at };
}

/**
 * Reads the pairing that waits with a code.
 * @throws {GroveError} NOT_FOUND; TOO_MANY_REQUESTS `rate_limited`
 */
export async function readPairing(
  { database, limits }: Pick<Services, "database" | "limits">,
  principal: SessionPrincipal,
  network: string,
  input: DeviceGetPairingInput,
): Promise<DevicePairing> {
  // Codes are short, so attempts are limited.
  limits.account.take(`pairing ${principal.user.id}`, network);
  const row = await database.db
    .selectFrom("device_pairings")
    .select(["name", "platform", "agent_version", "ip", "created_at", "expires_at"])
    .where("code_hash", "=", hashCode(input.code))
    .where("approved_by", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .executeTakeFirst();
  if (!row || row.name === null || row.platform === null) throw pairingNotFound();
  limits.account.clear(`pairing ${principal.user.id}`, network);
  return {
    name: row.name,
    platform: row.platform,
    agentVersion: row.agent_version,
    ip: row.ip,
    requestedAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/**
 * Approves the pairing that waits with a code.
 * @throws {GroveError} NOT_FOUND; TOO_MANY_REQUESTS `rate_limited`
 */
export function approvePairing(
  { database, limits }: Pick<Services, "database" | "limits">,
  principal: SessionPrincipal,
  network: string,
  input: DeviceApprovePairingInput,
) {
  limits.account.take(`pairing ${principal.user.id}`, network);
  return database.db.transaction().execute(async (trx) => {
    await stayMember(trx, principal, input.organizationId);
    const deviceId = newId();
    const row = await trx
      .updateTable("device_pairings")
      .set({
        organization_id: input.organizationId,
        approved_by: principal.user.id,
        device_id: deviceId,
        shared: input.shared,
        ...(input.name !== undefined && { name: input.name }),
      })
      .where("code_hash", "=", hashCode(input.code))
      .where("approved_by", "is", null)
      .where("expires_at", ">", sql<string>`now()`)
      .returning("device_id")
      .executeTakeFirst();
    if (!row) throw pairingNotFound();
    limits.account.clear(`pairing ${principal.user.id}`, network);
    return { deviceId };
  });
}

/** Creates a token with which one machine becomes the caller's device. */
export function createRegistration(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  input: DeviceCreateRegistrationInput,
) {
  return database.db.transaction().execute(async (trx) => {
    await stayMember(trx, principal, input.organizationId);
    const token = `grt_${createToken().token}`;
    const deviceId = newId();
    const { expires_at } = await trx
      .insertInto("device_pairings")
      .values({
        secret_hash: hashSecret(token),
        organization_id: input.organizationId,
        approved_by: principal.user.id,
        device_id: deviceId,
        shared: input.shared,
        secrets_allowed: isAtLeast(principal.memberships.get(input.organizationId), "admin"),
        expires_at: registrationEnd,
      })
      .returning("expires_at")
      .executeTakeFirstOrThrow();
    return { token, deviceId, expiresAt: expires_at };
  });
}

const pairingNotFound = () =>
  new GroveError(
    "NOT_FOUND",
    "No machine is waiting with this code. Check the code, or run `grove-device register` again.",
  );
