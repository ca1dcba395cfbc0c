export { PROVIDER_TIMEOUT_MS } from "./call";
export { type Credentials, credentials, type OAuthCredentials } from "./credentials";
export type { Ports, Provider } from "./defineProvider";
export { CredentialsError, ProviderError, type ProviderFailure } from "./errors";
export { type Access, Integrations, type IntegrationsOptions } from "./integrations";
export type { Authorization, OAuthClient } from "./oauth";
export type * from "./ports";
export { oauthProviders } from "./providers";
export type * from "./webhooks";
