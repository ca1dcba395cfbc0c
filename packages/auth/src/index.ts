export { type Credentials, type SignedIn, signIn, signUp } from "./accounts";
export { type Auth, type AuthOptions, createAuth } from "./auth";
export { type ErrorCode, type ErrorOptions, GroveError } from "./errors";
export {
  isAdmin,
  isAtLeast,
  requireAdmin,
  requireDevice,
  requireDeviceUse,
  requireMemberOrDevice,
  requireMembership,
  requireScope,
  requireSession,
  requireUser,
} from "./guards";
export { type SessionMeta, sessionCookieName } from "./lucia";
export { createOrganization, type NewOrganization } from "./organizations";
export { hashPassword, verifyPassword } from "./passwords";
export type * from "./principal";
export { resolvePrincipal } from "./resolve";
export { createSecret, hashSecret, kindOf, type NewSecret, type SecretKind } from "./secrets";
export {
  blankSessionCookie,
  createSession,
  deleteExpiredSessions,
  type SessionCookie,
  sessionCookie,
  signOut,
} from "./sessions";
export { toUser } from "./user";
export { generateVaultKey, parseVaultKeys, Vault, type VaultKey } from "./vault";
