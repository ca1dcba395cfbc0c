import { isAtLeast, type UserPrincipal } from "@grove/auth";
import { newId } from "@grove/db";
import type { DeviceRegisterInput } from "@grove/schemas";
import { stayMember } from "../organizations/members";
import type { Services } from "../services";
import { insertDevice } from "./insert";

/**
 * Creates the caller's device.
 * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
 */
export function registerDevice(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: UserPrincipal,
  input: DeviceRegisterInput,
) {
  return database.db.transaction().execute(async (trx) => {
    await stayMember(trx, principal, input.organizationId);
    return insertDevice(trx, { quotas }, principal, {
      id: newId(),
      organization_id: input.organizationId,
      owner_id: principal.user.id,
      name: input.name,
      platform: input.platform,
      registered_by_key: principal.kind === "api_key" ? principal.keyId : null,
      secrets_allowed:
        principal.kind === "session" && isAtLeast(principal.memberships.get(input.organizationId), "admin"),
    });
  });
}
