import { GroveError, isAtLeast, type UserPrincipal } from "@grove/auth";
import type { Services } from "../services";
import { readSessionOnDevice, type SessionOnDevice } from "./row";

/** Whether a person may read what a session printed: who started it, the device's owner, and org-admins. */
export const mayReadOutput = (
  principal: UserPrincipal,
  { organization_id, started_by, device_owner_id }: OutputOf,
): boolean =>
  [started_by, device_owner_id].includes(principal.user.id) ||
  isAtLeast(principal.memberships.get(organization_id), "admin");

type OutputOf = Pick<SessionOnDevice, "organization_id" | "started_by" | "device_owner_id">;

/** @throws {GroveError} NOT_FOUND; FORBIDDEN `role_required` if the caller may not read what this session printed */
export async function requireOutputOf(
  services: Services,
  principal: UserPrincipal,
  key: { organizationId: string; id: string },
): Promise<void> {
  if (mayReadOutput(principal, await readSessionOnDevice(services.database.db, key))) return;
  throw new GroveError(
    "FORBIDDEN",
    "Only the person who started a session, the device's owner and organization admins can read its output. Ask one of them.",
    { reason: "role_required" },
  );
}
