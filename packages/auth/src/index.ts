export { type Admit, type Credentials, type SignedIn, signIn, signUp } from "./accounts";
export { type Actor, type Cause, recordAudit } from "./audit";
export { type Auth, type AuthOptions, createAuth } from "./auth";
export { requestVerification, verifyEmail } from "./emails";
export { deleteExpiredTokens } from "./emailTokens";
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
export { apiKeyInForce, apiKeyProven, deviceKeyProven, memberProven } from "./keys";
export { type SessionMeta, sessionCookieName } from "./lucia";
export { finishOAuth, type OAuthStart, startOAuth } from "./oauthStates";
export { createOrganization, createPersonalOrganization, type NewOrganization } from "./organizations";
export { hashPassword, verifyPassword } from "./passwords";
export type * from "./principal";
export { type ProviderProfile, signInWithProvider } from "./providers";
export { recallPrincipal } from "./recall";
export { changePassword, requestPasswordReset, requirePassword, resetPassword } from "./recovery";
export { resolvePrincipal } from "./resolve";
export {
  type CredentialHolder,
  cancelQueued,
  cancelQueuedOfKey,
  revokeCredentials,
  revokeDevices,
  revokeInvitations,
  settleRevoked,
} from "./revoke";
export { createSecret, createToken, hashSecret, kindOf, type NewSecret, type SecretKind } from "./secrets";
export {
  blankSessionCookie,
  createSession,
  deleteExpiredSessions,
  endSessions,
  type SessionCookie,
  sessionCookie,
  signOut,
} from "./sessions";
export { distinct, slugOf } from "./slug";
export type { StartOver } from "./takeOver";
export { toPrincipalUser, toUser, userColumns } from "./user";
export { generateVaultKey, parseVaultKeys, Vault, type VaultKey } from "./vault";
