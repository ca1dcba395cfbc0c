import type { IntegrationKind, IntegrationProvider } from "@grove/schemas";
import { runCall } from "./call";
import { type Credentials, type GivenCredentials, readCredentials } from "./credentials";
import { ProviderError } from "./errors";
import { Network } from "./network/network";
import type { Account } from "./ports";
import type { Ports, Provider } from "./provider";
import { providers } from "./providers";

export interface IntegrationsOptions {
  /** Hosts of self-hosted providers that may be at addresses which are not public, and speak http. */
  privateHosts?: readonly string[];
  /** Where a provider's API is, other than where everyone finds it; for tests. */
  apiUrls?: Partial<Record<IntegrationProvider, string>>;
  /** Other than {@link CALL_MS}. */
  callMs?: number;
}

/** With what a provider is spoken to. */
export interface Access {
  provider: IntegrationProvider;
  credentials: Credentials;
  /** Of one that is someone's own. */
  baseUrl: string | null;
}

/** The way to all providers. One a process; close it at the end. */
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
   * An address that someone gave for a provider, as it is kept: without a slash at its end, null when it is the
   * provider's public one.
   * @throws {ProviderError} `address_refused`
   */
  readBaseUrl(name: IntegrationProvider, given: string | undefined): string | null {
    const { title, apiUrl, apiUrlAt } = providers[name];
    const refuse = (detail: string) => new ProviderError("address_refused", { detail });
    if (given === undefined) {
      if (apiUrl === undefined) throw refuse(`${title} is at an address of everyone's own: give baseUrl`);
      return null;
    }
    if (!apiUrlAt) throw refuse(`${title} is nowhere else: leave baseUrl out`);
    const url = new URL(given);
    this.network.check(url);
    return apiUrlAt(url) === apiUrl ? null : url.href.replace(/\/+$/, "");
  }

  /** Whom the credentials belong to. @throws {ProviderError} */
  account = (access: Access): Promise<Account> => this.#call(access, (port) => port.account());

  /**
   * One call of a port.
   * @throws {ProviderError} and nothing else
   */
  call<Kind extends IntegrationKind, T>(
    kind: Kind,
    access: Access,
    use: (port: Ports[Kind]) => Promise<T>,
  ): Promise<T> {
    if (providers[access.provider].kind !== kind) throw new Error(`${access.provider} is no ${kind}`);
    return this.#call(access, (port) => use(port as Ports[Kind]));
  }

  close = (): Promise<void> => this.network.close();

  #call<T>(access: Access, use: (port: Ports[IntegrationKind]) => Promise<T>): Promise<T> {
    const { provider: name, credentials } = access;
    const provider = providers[name];
    const { network } = this;
    const { callMs: deadlineMs } = this.#options;
    return runCall(
      { network, provider, apiUrl: this.#apiUrl(access), credentials, deadlineMs },
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
