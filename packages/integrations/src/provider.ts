import type { IntegrationKind } from "@grove/schemas";
import type { Credentials, Takes } from "./credentials";
import type { Fetch, ReadError } from "./network/fetch";
import type { OAuthDefinition } from "./oauth";
import type { Codehost, Messenger, Tracker } from "./ports";
import type { WebhookDefinition } from "./webhooks";

export interface Ports {
  codehost: Codehost;
  tracker: Tracker;
  messenger: Messenger;
}

/** What an adapter has to work with, for one call. */
export interface CallContext {
  apiUrl: string;
  /** Every request goes through it. */
  fetch: Fetch;
}

/** All there is to know of a provider; each stands in the `index.ts` of its folder. */
export interface Provider<Kind extends IntegrationKind = IntegrationKind> {
  kind: Kind;
  /** As its makers write it. */
  title: string;
  takes: Takes;
  /** Where its API is; undefined when everyone has an address of their own. */
  apiUrl?: string;
  /** The API's address at the address of someone's own; undefined when there is none to have. */
  apiUrlAt?(baseUrl: URL): string;
  /** Loads the provider's client, which nothing else does: who connects nothing pays for nothing. */
  open(credentials: Credentials, context: CallContext): Promise<Ports[Kind]>;
  readError?: ReadError;
  oauth?: OAuthDefinition;
  webhooks?: WebhookDefinition;
}

export const defineProvider = <Kind extends IntegrationKind>(provider: Provider<Kind>): Provider<Kind> =>
  provider;
