import { type ApiKeyScope, type Role, roles } from "@grove/schemas";
import { GroveError } from "./errors";
import type {
  DevicePrincipal,
  Principal,
  PrincipalUser,
  SessionPrincipal,
  UserPrincipal,
} from "./principals/principal";

/**
 * The guard "protected".
 * @throws {GroveError} UNAUTHORIZED without a principal that acts for a user; a device's key does not
 */
export function requireUser(principal: Principal | null): UserPrincipal {
  if (principal && principal.kind !== "device") return principal;
  throw new GroveError("UNAUTHORIZED", "Not authenticated. Please sign in.");
}

/**
 * For actions that no API key may do, whatever its scopes.
 * @throws {GroveError} UNAUTHORIZED without a user; FORBIDDEN `session_required` with an API key
 */
export function requireSession(principal: Principal | null): SessionPrincipal {
  const user = requireUser(principal);
  if (user.kind === "session") return user;
  throw sessionRequired();
}

/** The refusal of an API key, whatever its scopes. */
export const sessionRequired = () =>
  new GroveError("FORBIDDEN", "An API key cannot do this. Sign in, and use that session.", {
    reason: "session_required",
  });

/** Returns a domain such as `example.com` without a leading `@`; empty for undefined. */
const bareDomain = (domain = "") => domain.trim().replace(/^@/, "").toLowerCase();

const hasDomain = (user: PrincipalUser, domain: string) =>
  domain !== "" && user.email.toLowerCase().endsWith(`@${domain}`);

/** Whether the user has a verified address of the domain, which may be written with or without `@`. */
export const isAdmin = (user: PrincipalUser, adminEmailDomain: string | undefined): boolean =>
  hasDomain(user, bareDomain(adminEmailDomain)) && user.emailVerified;

/**
 * The guard "admin". Without a configured domain, it refuses every user.
 * @throws {GroveError} UNAUTHORIZED without a user; FORBIDDEN `session_required`, `admin_required`, `email_unverified`
 */
export function requireAdmin(
  principal: Principal | null,
  adminEmailDomain: string | undefined,
): SessionPrincipal {
  const session = requireSession(principal);
  const domain = bareDomain(adminEmailDomain);
  const forbidden = (message: string, reason: "admin_required" | "email_unverified") =>
    new GroveError("FORBIDDEN", message, { reason });
  if (domain === "")
    throw forbidden(
      "Admin access requires an email of the company's domain, and none is configured. Set ADMIN_EMAIL_DOMAIN to grant it.",
      "admin_required",
    );
  if (!hasDomain(session.user, domain))
    throw forbidden(`Admin access requires an @${domain} email.`, "admin_required");
  if (!session.user.emailVerified)
    throw forbidden(`Admin access requires an @${domain} email; verify yours first.`, "email_unverified");
  return session;
}

/** Whether a role is given and is at least `minRole`. */
export const isAtLeast = (role: Role | undefined, minRole: Role): boolean =>
  role !== undefined && roles.indexOf(role) >= roles.indexOf(minRole);

/**
 * The guard "organization". An organization that does not exist gets the same response as one of other members.
 * @param organizationId lower-cased
 * @throws {GroveError} FORBIDDEN `not_a_member` or `role_required`
 */
export function requireMembership(
  principal: Pick<UserPrincipal, "kind" | "memberships">,
  organizationId: string,
  minRole: Role,
): Role {
  const role = principal.memberships.get(organizationId);
  if (role === undefined) throw notAMember(principal);
  if (isAtLeast(role, minRole)) return role;
  throw new GroveError(
    "FORBIDDEN",
    `This needs the role ${minRole}; yours is ${role}. Ask an owner of the organization to do it or to change your role.`,
    { reason: "role_required", details: { required: minRole, role } },
  );
}

/**
 * For procedures that a device may also call, within its own organization.
 * @returns the member's role, or `device`
 * @throws {GroveError} FORBIDDEN `not_a_member` or `role_required`
 */
export function requireMemberOrDevice(
  principal: Principal,
  organizationId: string,
  minRole: Role,
): Role | "device" {
  if (principal.kind !== "device") return requireMembership(principal, organizationId, minRole);
  if (principal.organizationId === organizationId) return "device";
  throw notAMember(principal);
}

const notAMemberMessages = {
  session:
    "You are not a member of this organization. Check organizationId, or ask one of its admins to invite you.",
  api_key: "This API key belongs to another organization. Check organizationId, or create a key there.",
  device: "This device belongs to another organization. Check organizationId, or register the device there.",
};

const notAMember = ({ kind }: Pick<Principal, "kind">) =>
  new GroveError("FORBIDDEN", notAMemberMessages[kind], { reason: "not_a_member" });

/**
 * Checks the scope of an API key; `write` does not imply `read`. Sessions have both. A device has no scopes: it is
 * limited by the procedures that it may call.
 * @throws {GroveError} FORBIDDEN `scope_required`
 */
export function requireScope(principal: Principal, scope: ApiKeyScope): void {
  if (principal.kind !== "api_key" || principal.scopes.includes(scope)) return;
  throw new GroveError("FORBIDDEN", `This API key lacks the scope ${scope}. Create a key that has it.`, {
    reason: "scope_required",
    details: { required: scope, scopes: principal.scopes },
  });
}

/**
 * The guard "device".
 * @throws {GroveError} UNAUTHORIZED without a valid credential; FORBIDDEN with a user's
 */
export function requireDevice(principal: Principal | null): DevicePrincipal {
  if (principal?.kind === "device") return principal;
  if (principal)
    throw new GroveError("FORBIDDEN", "Only a device can do this. Present the device's own key.");
  throw new GroveError(
    "UNAUTHORIZED",
    "Not authenticated: the device's key is missing, wrong or revoked. Register the device again.",
  );
}

/**
 * For every action that uses a device: the caller's own, or one that its owner shares.
 * @throws {GroveError} FORBIDDEN `device_owner_required`
 */
export function requireDeviceUse(
  principal: { user: Pick<PrincipalUser, "id"> },
  device: { ownerId: string; shared: boolean },
): void {
  if (device.shared || device.ownerId === principal.user.id) return;
  throw new GroveError(
    "FORBIDDEN",
    "This device belongs to another member and is not shared. Ask its owner to share it, or use one of your own.",
    { reason: "device_owner_required" },
  );
}
