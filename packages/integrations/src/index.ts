export { CALL_MS } from "./call";
export { type Credentials, credentials } from "./credentials";
export { CredentialsError, ProviderError, type ProviderFailure } from "./errors";
export { type Access, Integrations, type IntegrationsOptions } from "./integrations";
export type * from "./ports";
export type { Ports, Provider } from "./provider";
export type * from "./webhooks";
