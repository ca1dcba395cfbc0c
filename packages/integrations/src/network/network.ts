import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { Agent, RequestInit, Response } from "undici";
import { ProviderError } from "../errors";
import { isPublicAddress } from "./addresses";

const CONNECT_MS = 5_000;

/**
 * The way out to providers. It connects to public addresses alone, whatever a name resolves to at that moment, except
 * for the hosts that the operator has named. Close it when it is needed no more.
 */
export class Network {
  readonly #privateHosts: ReadonlySet<string>;
  #agent: Promise<Agent> | undefined;

  /** @param privateHosts names and addresses that may be anywhere, and be spoken to without TLS */
  constructor(privateHosts: readonly string[] = []) {
    this.#privateHosts = new Set(privateHosts.map((host) => host.toLowerCase()));
  }

  /**
   * Whether an address that someone has typed may be asked at all; what its name resolves to shows when it is.
   * @throws {ProviderError} `address_refused`
   */
  check(url: URL): void {
    const host = bare(url.hostname);
    const refuse = (detail: string) => {
      throw new ProviderError("address_refused", { detail });
    };
    if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
      refuse("it must be a bare address, without user, query or fragment");
    if (this.#privateHosts.has(host)) return;
    if (url.protocol !== "https:") refuse("it must be https");
    if (isIP(host) !== 0 && !isPublicAddress(host)) refuse(`${host} is no public address`);
  }

  /** As fetch, without following redirects. */
  async fetch(url: URL, init: RequestInit): Promise<Response> {
    const { fetch } = await import("undici");
    this.#agent ??= this.#createAgent();
    const dispatcher = await this.#agent;
    return fetch(url, { ...init, redirect: "manual", dispatcher });
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
    this.#agent = undefined;
  }

  async #createAgent(): Promise<Agent> {
    const { Agent, buildConnector } = await import("undici");
    const connector = buildConnector({ timeout: CONNECT_MS, lookup: this.#lookup });
    return new Agent({
      // A literal address is not looked up.
      connect: (options, callback) => {
        const host = bare(options.hostname);
        if (isIP(host) !== 0 && !this.#mayReach(host, host)) callback(refused(host), null);
        else connector(options, callback);
      },
    });
  }

  /** What it answers is what is connected to: nobody can answer otherwise a moment later. */
  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      const bad = addresses?.find(({ address }) => !this.#mayReach(hostname, address));
      if (error || !first) callback(error ?? new Error(`${hostname} has no address`), "");
      else if (bad) callback(refused(hostname), "");
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

  #mayReach(host: string, address: string): boolean {
    return this.#privateHosts.has(host.toLowerCase()) || isPublicAddress(address);
  }
}

/** Without the brackets of an IPv6 address. */
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, "").toLowerCase();

const refused = (host: string) =>
  new ProviderError("address_refused", { detail: `${host} is at an address that is not public` });
