import type { IntegrationKind, IntegrationProvider } from "@grove/schemas";
import { runCall } from "./call";
import {
  type Credentials,
  type GivenCredentials,
  type OAuthCredentials,
  readCredentials,
  secretsIn,
} from "./credentials";
import type { CallContext, Ports, Provider } from "./defineProvider";
import { ProviderError } from "./errors";
import type { ReadError } from "./network/fetch";
import { Network } from "./network/network";
import {
  type Authorization,
  authorizationUrl,
  exchangeCode,
  type OAuthClient,
  type OAuthDefinition,
  refreshTokens,
  tokenError,
} from "./oauth";
import type { Account } from "./ports";
import { providers } from "./providers";

export interface IntegrationsOptions {
  /** Hosts of self-hosted providers that may have private addresses and use http. */
  privateHosts?: readonly string[];
  /** The addresses of the providers' APIs, instead of the public ones; for tests. */
  apiUrls?: Partial<Record<IntegrationProvider, string>>;
  /** The OAuth apps of the operator. */
  oauthClients?: Partial<Record<IntegrationProvider, OAuthClient>>;
  /** The addresses of the providers' OAuth, instead of the public ones; for tests. */
  oauthUrls?: Partial<Record<IntegrationProvider, Pick<OAuthDefinition, "authorizeUrl" | "tokenUrl">>>;
  /** Replaces {@link PROVIDER_TIMEOUT_MS}. */
  callMs?: number;
}

/** The data that a call to a provider needs. */
export interface Access {
  provider: IntegrationProvider;
  credentials: Credentials;
  /** The address of a self-hosted provider; null for the public one. */
  baseUrl: string | null;
  /** The scopes that the OAuth exchange granted; undefined if unknown. */
  scopes?: string[];
}

/** The access to all providers. Make one per process, and close it at the end. */
export class Integrations {
  readonly network: Network;
  readonly #options: IntegrationsOptions;

  constructor(options: IntegrationsOptions = {}) {
    this.#options = options;
    this.network = new Network(options.privateHosts);
  }

  provider(name: IntegrationProvider): Provider {
    return providers[name];
  }

  /** @throws {CredentialsError} */
  readCredentials(name: IntegrationProvider, given: GivenCredentials): Credentials {
    const { title, takes } = providers[name];
    return readCredentials(title, takes, given);
  }

  /**
   * Normalizes the address that someone gave for a provider, for storing: without a slash at its end, or null if it is
   * the provider's public one.
   * @throws {ProviderError} `address_refused`
   */
  readBaseUrl(name: IntegrationProvider, given: string | undefined): string | null {
    const { title, apiUrl, apiUrlAt } = providers[name];
    const refuse = (detail: string) => new ProviderError("address_refused", { detail });
    if (given === undefined) {
      if (apiUrl === undefined) throw refuse(`${title} has no common address: give baseUrl`);
      return null;
    }
    if (!apiUrlAt) throw refuse(`${title} has only its public address: leave out baseUrl`);
    const url = new URL(given);
    this.network.check(url);
    return apiUrlAt(url) === apiUrl ? null : url.href.replace(/\/+$/, "");
  }

  /** The account that the credentials belong to. @throws {ProviderError} */
  async account(access: Access): Promise<Account> {
    const account = await this.#call(access, (port) => port.account());
    return { ...account, scopes: account.scopes ?? access.scopes };
  }

  /**
   * Makes one call of a port.
   * @param deadlineMs less than {@link PROVIDER_TIMEOUT_MS}, if part of the time is already spent
   * @throws {ProviderError} and nothing else
   */
  call<Kind extends IntegrationKind, T>(
    kind: Kind,
    access: Access,
    use: (port: Ports[Kind]) => Promise<T>,
    deadlineMs?: number,
  ): Promise<T> {
    if (providers[access.provider].kind !== kind) throw new Error(`${access.provider} is no ${kind}`);
    return this.#call(access, (port) => use(port as Ports[Kind]), deadlineMs);
  }

  /** Whether accounts of this provider can be connected by OAuth here. */
  hasOAuth(name: IntegrationProvider): boolean {
    return providers[name].oauth !== undefined && this.#options.oauthClients?.[name] !== undefined;
  }

  /** The provider's page that asks a person to consent. */
  authorizationUrl(name: IntegrationProvider, authorization: Authorization): string {
    const { definition, client } = this.#oauth(name);
    return authorizationUrl(definition, client, authorization);
  }

  /** Exchanges the code that follows a person's consent for tokens. @throws {ProviderError} */
  exchangeCode(name: IntegrationProvider, authorization: Authorization, code: string): Promise<Access> {
    const { definition, client } = this.#oauth(name);
    return this.#callTokens(name, [code, client.clientSecret], async (context) => {
      const granted = await exchangeCode(definition, client, authorization, code, context.fetch);
      const site = await definition.readSite?.(granted.credentials.accessToken, context);
      const credentials = { ...granted.credentials, ...(site && { site }) };
      return { provider: name, credentials, baseUrl: null, scopes: granted.scopes };
    });
  }

  /** Refreshes the tokens. @throws {ProviderError} `unauthorized` once the grant is withdrawn */
  refresh(name: IntegrationProvider, old: OAuthCredentials, deadlineMs?: number): Promise<OAuthCredentials> {
    const { definition, client } = this.#oauth(name);
    const secrets = [client.clientSecret, old.refreshToken ?? ""].filter((secret) => secret !== "");
    return this.#callTokens(
      name,
      secrets,
      ({ fetch }) => refreshTokens(definition, client, old, fetch),
      deadlineMs,
    );
  }

  close = (): Promise<void> => this.network.close();

  #oauth(name: IntegrationProvider): { definition: OAuthDefinition; client: OAuthClient } {
    const { oauth } = providers[name];
    const client = this.#options.oauthClients?.[name];
    if (!oauth || !client) throw new Error(`${name} has no OAuth here`);
    return { definition: { ...oauth, ...this.#options.oauthUrls?.[name] }, client };
  }

  #callTokens<T>(
    name: IntegrationProvider,
    secrets: string[],
    work: (context: CallContext) => Promise<T>,
    deadlineMs = this.#options.callMs,
  ): Promise<T> {
    const apiUrl = this.#options.apiUrls?.[name] ?? providers[name].oauth?.apiUrl ?? "";
    const readError: ReadError = ({ json }) => tokenError(json);
    const { network } = this;
    return runCall({ network, provider: providers[name], apiUrl, secrets, deadlineMs, readError }, work);
  }

  #call<T>(
    access: Access,
    use: (port: Ports[IntegrationKind]) => Promise<T>,
    deadlineMs = this.#options.callMs,
  ): Promise<T> {
    const { provider: name, credentials } = access;
    const provider = providers[name];
    const { network } = this;
    return runCall(
      { network, provider, apiUrl: this.#apiUrl(access), secrets: secretsIn(credentials), deadlineMs },
      async (context) => use(await provider.open(credentials, context)),
    );
  }

  #apiUrl({ provider, baseUrl }: Access): string {
    const { apiUrl, apiUrlAt, oauth } = providers[provider];
    if (baseUrl !== null && apiUrlAt) return apiUrlAt(new URL(baseUrl));
    const url = this.#options.apiUrls?.[provider] ?? apiUrl ?? oauth?.apiUrl;
    if (url === undefined) throw new Error(`${provider} needs an address`);
    return url;
  }
}
