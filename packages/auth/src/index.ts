export { type Admit, type Credentials, type SignedIn, signIn, signUp } from "./accounts/accounts";
export { requestVerification, verifyEmail } from "./accounts/emails";
export { deleteExpiredTokens, linkLifetimes } from "./accounts/emailTokens";
export { createLink, signInByLink } from "./accounts/links";
export { finishOAuth, type OAuthStart, startOAuth } from "./accounts/oauthStates";
export { hashPassword, verifyPassword } from "./accounts/passwords";
export { type ProviderProfile, signInWithProvider } from "./accounts/providers";
export { changePassword, requestPasswordReset, requirePassword, resetPassword } from "./accounts/recovery";
export {
  type CredentialHolder,
  cancelQueued,
  cancelQueuedOfKey,
  revokeCredentials,
  revokeDevices,
  revokeInvitations,
  settleRevoked,
} from "./accounts/revoke";
export type { ResetMemberships } from "./accounts/transferAccount";
export { toPrincipalUser, toUser, userColumns } from "./accounts/user";
export { type Actor, type Cause, recordAudit } from "./audit";
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
  sessionRequired,
} from "./guards";
export { createOrganization, createPersonalOrganization, type NewOrganization } from "./organizations";
export { apiKeyIsValid } from "./principals/apiKey";
export type { Cached, MaybeCached } from "./principals/cache";
export { type Credential, credentialOf } from "./principals/credential";
export { deviceKeyIsValid } from "./principals/device";
export { isStillMember } from "./principals/member";
export type * from "./principals/principal";
export { resolvePrincipal } from "./principals/resolve";
export type { SessionMeta } from "./principals/sessionStore";
export {
  blankSessionCookie,
  createSession,
  deleteExpiredSessions,
  endSessions,
  type SessionCookie,
  sessionCookie,
  signOut,
} from "./principals/sessions";
export {
  createSecret,
  createToken,
  hashSecret,
  kindOf,
  type NewSecret,
  type SecretKind,
} from "./secrets/secrets";
export { generateVaultKey, parseVaultKeys, Vault, type VaultKey } from "./secrets/vault";
export { slugOf, withRandomSuffix } from "./slug";
