import type { IntegrationKind } from "@grove/schemas";
import type { Credentials, Takes } from "./credentials";
import type { Fetch, ReadError } from "./network/fetch";
import type { ReadLog } from "./network/readLog";
import type { OAuthDefinition } from "./oauth";
import type { Codehost, Messenger, Tracker } from "./ports";
import type { WebhookDefinition } from "./webhooks";

export interface Ports {
  codehost: Codehost;
  tracker: Tracker;
  messenger: Messenger;
}

/** The means of an adapter, for one call. */
export interface CallContext {
  apiUrl: string;
  /** Every request goes through this `fetch`, except those of `readLog`. */
  fetch: Fetch;
  readLog: ReadLog;
}

/** The definition of a provider. Each is in the `index.ts` of its folder. */
export interface Provider<Kind extends IntegrationKind = IntegrationKind> {
  kind: Kind;
  /** The name for display, as the provider spells it. */
  title: string;
  takes: Takes;
  /** The address of the provider's API; undefined if every customer has their own. */
  apiUrl?: string;
  /** The API's address for a self-hosted server or a customer's site; undefined if there are none. */
  apiUrlAt?(baseUrl: URL): string;
  /** Loads the provider's client. No other code loads it, so an unused provider costs nothing. */
  open(credentials: Credentials, context: CallContext): Promise<Ports[Kind]>;
  readError?: ReadError;
  oauth?: OAuthDefinition;
  webhooks?: WebhookDefinition;
}

export const defineProvider = <Kind extends IntegrationKind>(provider: Provider<Kind>): Provider<Kind> =>
  provider;
