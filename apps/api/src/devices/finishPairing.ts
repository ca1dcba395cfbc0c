import { GroveError, hashSecret } from "@grove/auth";
import type { Database } from "@grove/db";
import type { DeviceFinishPairingInput } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import type { Services } from "../services";
import { insertDevice } from "./insert";

/**
 * Makes the device of an approved pairing. The approval counts only while the approver is a member.
 * @returns a null device until the pairing is approved
 * @throws {GroveError} BAD_REQUEST `token_invalid`; PRECONDITION_FAILED `quota_exceeded`
 */
export function finishPairing(
  services: Pick<Services, "database" | "quotas">,
  input: DeviceFinishPairingInput,
) {
  return services.database.db
    .transaction()
    .execute(async (trx) => ({ device: await finish(trx, services, input) }));
}

async function finish(
  trx: Transaction<Database>,
  services: Pick<Services, "quotas">,
  { secret, name, platform }: DeviceFinishPairingInput,
) {
  const pairings = trx
    .selectFrom("device_pairings")
    .selectAll()
    .where("secret_hash", "=", hashSecret(secret))
    .where("expires_at", ">", sql<string>`now()`);
  const pairing = await pairings.executeTakeFirst();
  if (!pairing) throw invalidPairing();
  if (pairing.approved_by === null || pairing.organization_id === null) return null;
  // Lock order: the user's row first.
  const member = await trx
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .select("users.id")
    .where("users.id", "=", pairing.approved_by)
    .where("users.disabled_at", "is", null)
    .where("memberships.organization_id", "=", pairing.organization_id)
    .forShare()
    .executeTakeFirst();
  // If two calls finish together, only one of them deletes the row.
  const { numDeletedRows } = await trx
    .deleteFrom("device_pairings")
    .where("secret_hash", "=", pairing.secret_hash)
    .executeTakeFirst();
  if (!member || numDeletedRows === 0n || pairing.device_id === null) throw invalidPairing();
  return insertDevice(
    trx,
    services,
    { kind: "user", userId: member.id },
    {
      id: pairing.device_id,
      organization_id: pairing.organization_id,
      owner_id: member.id,
      name: pairing.name ?? name,
      platform: pairing.platform ?? platform,
      shared: pairing.shared,
      secrets_allowed: pairing.secrets_allowed,
    },
  );
}

const invalidPairing = () =>
  new GroveError(
    "BAD_REQUEST",
    "This pairing or registration was used, or is too old. Run `grove-device register` again.",
    { reason: "token_invalid" },
  );
