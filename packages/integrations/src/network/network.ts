import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { Agent, RequestInit, Response } from "undici";
import { ProviderError } from "../errors";
import { isPublicAddress } from "./addresses";

const CONNECT_MS = 5_000;

/**
 * The network access to providers. It connects only to public addresses, checked when it connects, and to the hosts
 * that the operator has named. Close it when it is no longer needed.
 */
export class Network {
  readonly #privateHosts: ReadonlySet<string>;
  #agent: Promise<Agent> | undefined;

  /**
   * @param privateHosts `host:port`, or `host` for its ports 443 and 80. They may have any address, and no TLS.
   */
  constructor(privateHosts: readonly string[] = []) {
    this.#privateHosts = new Set(privateHosts.flatMap(placesOf));
  }

  /**
   * Refuses an address that must not be requested. The addresses of a name are only checked when it connects.
   * @throws {ProviderError} `address_refused`
   */
  check(url: URL): void {
    if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
      refuse("it must be a bare address, without user, query or fragment");
    this.checkHost(url);
  }

  /**
   * Like {@link check}, for an address that may have a query.
   * @throws {ProviderError} `address_refused`
   */
  checkHost(url: URL): void {
    const host = withoutBrackets(url.hostname);
    if (this.#privateHosts.has(placeOf(host, portOf(url)))) return;
    if (url.protocol !== "https:") refuse("it must be https");
    if (isIP(host) !== 0 && !isPublicAddress(host)) refuse(`${host} is not a public address`);
  }

  /** Like the global fetch, but does not follow redirects. */
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
    const anywhere = buildConnector({ timeout: CONNECT_MS });
    const publicOnly = buildConnector({ timeout: CONNECT_MS, lookup: publicLookup });
    return new Agent({
      connect: (options, callback) => {
        const host = withoutBrackets(options.hostname);
        const port = options.port || (options.protocol === "https:" ? "443" : "80");
        if (this.#privateHosts.has(placeOf(host, port))) anywhere(options, callback);
        // A literal address is not looked up.
        else if (isIP(host) !== 0 && !isPublicAddress(host)) callback(refused(host), null);
        else publicOnly(options, callback);
      },
    });
  }
}

/** The connection uses exactly this answer, so a name server cannot change it a moment later. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    const bad = addresses?.find(({ address }) => !isPublicAddress(address));
    if (error || !first) callback(error ?? new Error(`${hostname} has no address`), "");
    else if (bad) callback(refused(hostname), "");
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** A host and a port in canonical form. */
const placeOf = (host: string, port: string) => `${withoutBrackets(host)} ${port}`;

const portOf = (url: URL) => url.port || (url.protocol === "https:" ? "443" : "80");

/** `host`, `host:port`, `[::1]:port`, or an IPv6 address alone. */
function placesOf(entry: string): string[] {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (host !== undefined && port !== undefined) return [placeOf(host, port)];
  return ["443", "80"].map((usual) => placeOf(entry, usual));
}

/** The host in lower case, without the brackets of an IPv6 address. */
const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, "").toLowerCase();

const refuse = (detail: string): never => {
  throw new ProviderError("address_refused", { detail });
};

const refused = (host: string) =>
  new ProviderError("address_refused", { detail: `${host} has an address that is not public` });
