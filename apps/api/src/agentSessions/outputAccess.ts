import { apiKeyIsValid, type Cached, GroveError, isAtLeast, type UserPrincipal } from "@grove/auth";
import type { Role } from "@grove/schemas";
import { sql } from "kysely";
import type { Services } from "../services";
import { readSessionOnDevice, type SessionKey, type SessionOnDevice } from "./row";

/** Whether a person may read what a session printed: who started it, the device's owner, and org-admins. */
export const mayReadOutput = (
  principal: UserPrincipal,
  { organization_id, started_by, device_owner_id }: OutputOf,
): boolean =>
  [started_by, device_owner_id].includes(principal.user.id) ||
  isAtLeast(principal.memberships.get(organization_id), "admin");

type OutputOf = Pick<SessionOnDevice, "organization_id" | "started_by" | "device_owner_id">;

/** The owner of a cached key. */
interface Reader {
  keyId: string | null;
  userId: string;
  role: Role | null;
  isAdmin: boolean;
}

/**
 * Whether the holder of a cached key may read what a session printed, by one statement that also checks the key. If
 * not, the key itself may be the reason: then look it up, and call {@link requireOutputOf}.
 */
export const keyReadsOutput = (
  { database }: Pick<Services, "database">,
  principal: Cached<UserPrincipal>,
  { organizationId, id }: SessionKey,
): Promise<boolean> =>
  principal.verifiedIn(
    async ({ keyId, userId, role, isAdmin }: Reader) => {
      const { rows } = await sql`select from agent_sessions
        join devices on devices.organization_id = agent_sessions.organization_id
          and devices.id = agent_sessions.device_id
        where agent_sessions.organization_id = ${organizationId} and agent_sessions.id = ${id}
          and (${userId} in (agent_sessions.started_by, devices.owner_id) or ${isAdmin})
          and ${apiKeyIsValid(sql`${keyId}::uuid`, sql`${role}::text`)}`.execute(database.db);
      return rows.length > 0;
    },
    (user) => {
      const role = user.memberships.get(organizationId) ?? null;
      const keyId = user.kind === "api_key" ? user.keyId : null;
      return { keyId, userId: user.user.id, role, isAdmin: isAtLeast(role ?? undefined, "admin") };
    },
  );

/** @throws {GroveError} NOT_FOUND; FORBIDDEN `role_required` if the caller may not read what this session printed */
export async function requireOutputOf(
  services: Pick<Services, "database">,
  principal: UserPrincipal,
  key: SessionKey,
): Promise<void> {
  requireOutput(principal, await readSessionOnDevice(services.database.db, key));
}

/**
 * Requires permission to type into, resize or stop a session. The same users may read its output, because typed input
 * can make the session print anything.
 * @throws {GroveError} FORBIDDEN `role_required`
 */
export function requireOutput(principal: UserPrincipal, session: OutputOf): void {
  if (mayReadOutput(principal, session)) return;
  throw new GroveError(
    "FORBIDDEN",
    "Only the person who started a session, the device's owner and organization admins can read its output, type into it, resize or stop it. Ask one of them.",
    { reason: "role_required" },
  );
}
