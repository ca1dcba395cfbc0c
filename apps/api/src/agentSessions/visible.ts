import { GroveError, isAtLeast, type UserPrincipal } from "@grove/auth";
import type { Services } from "../services";
import { readSessionOnDevice } from "./row";

/** @throws {GroveError} NOT_FOUND; FORBIDDEN `role_required` if the caller may not read what this session printed */
export async function requireOutputOf(
  services: Services,
  principal: UserPrincipal,
  key: { organizationId: string; id: string },
): Promise<void> {
  const { started_by, device_owner_id } = await readSessionOnDevice(services.database.db, key);
  const userId = principal.user.id;
  const role = principal.memberships.get(key.organizationId);
  if (started_by === userId || device_owner_id === userId || isAtLeast(role, "admin")) return;
  throw new GroveError(
    "FORBIDDEN",
    "Only the person who started a session, the device's owner and organization admins can read its output. Ask one of them.",
    { reason: "role_required" },
  );
}
