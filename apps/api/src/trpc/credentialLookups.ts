import {
  type Auth,
  credentialOf,
  type GroveError,
  hashSecret,
  kindOf,
  type Principal,
  resolvePrincipal,
} from "@grove/auth";
import { runAsCaller } from "@grove/db";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { presentedSecret } from "../lib/credential";
import type { CallerLimits } from "../limits/callerLimits";
import type { LoadShedder } from "../limits/loadShedder";
import { networkOf } from "../limits/rateLimits";

const MAX_KNOWN = 50_000;
/** How long a network's unknown credentials share one bound after a wrong one. */
const FAILED_MS = 10_000;
/** How long a refused call is refused again without a lookup. Its error asks the caller to retry after this time. */
const REFUSED_MS = 1_000;

/**
 * Looks up the credentials of requests, within bounds. A known credential has its own bounds. After a wrong credential,
 * the unknown ones of its network share the network's bounds, since a wrong one costs its sender nothing.
 */
export class CredentialLookups {
  readonly #auth: Auth;
  readonly #callers: CallerLimits;
  readonly #loadShedder: LoadShedder;
  /** The holder of each known credential, by its hash. Used only to count the caller's calls; it grants nothing. */
  readonly #callerByHash = new LRUCache<string, string>({ max: MAX_KNOWN });
  readonly #failed = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: FAILED_MS });
  readonly #refused = new LRUCache<string, GroveError>({ max: MAX_KNOWN, ttl: REFUSED_MS });

  constructor(auth: Auth, callers: CallerLimits, loadShedder: LoadShedder) {
    this.#auth = auth;
    this.#callers = callers;
    this.#loadShedder = loadShedder;
  }

  /** The principal of the request's credential; null without one, or for a wrong one. */
  async principalOf(request: FastifyRequest): Promise<Principal | null> {
    const secret = presentedSecret(request)?.secret ?? "";
    if (kindOf(secret) === null) return null;
    const hash = hashSecret(secret);
    const principal = await this.runLimited(request, () => resolvePrincipal(this.#auth, secret));
    if (principal) this.#callerByHash.set(hash, credentialOf(principal).holder);
    else {
      this.#callerByHash.delete(hash);
      this.#failed.set(networkOf(request.ip), true);
    }
    return principal;
  }

  /**
   * Runs a statement about the request's credential when its turn comes.
   * @throws {GroveError} TOO_MANY_REQUESTS `too_many_in_progress`
   */
  runLimited<T>(request: FastifyRequest, statement: () => Promise<T>): Promise<T> {
    // Separate from the calls of the same holder, which wait for their own turn after this.
    const name = `lookup ${this.#nameOf(request)}`;
    return this.#callers.runInTurn(name, 0, () =>
      runAsCaller(name, () => this.#loadShedder.workOn(statement, this.#nameOf(request))),
    );
  }

  /**
   * Refuses a request before its body is read: when the server is overloaded, or when the same caller's same call was
   * refused a moment ago. A known device is let in: its reports end what others wait for.
   * @throws {GroveError} SERVICE_UNAVAILABLE `overloaded`, TOO_MANY_REQUESTS `too_many_in_progress`
   */
  require(request: FastifyRequest): void {
    const refused = this.#refused.get(callOf(request));
    if (refused) throw refused;
    const name = this.#nameOf(request);
    if (!name.startsWith("device:")) this.#loadShedder.require(name);
  }

  /** Remembers that a call was refused. A batch is not remembered, since its other calls may have been answered. */
  refused(request: FastifyRequest, error: GroveError): void {
    const call = callOf(request);
    if (!call.includes(",")) this.#refused.set(call, error);
  }

  /** The name under which a request is counted until its credential is looked up. */
  #nameOf(request: FastifyRequest): string {
    const network = networkOf(request.ip);
    const secret = presentedSecret(request)?.secret ?? "";
    if (kindOf(secret) === null) return `network:${network}`;
    const hash = hashSecret(secret);
    return (
      this.#callerByHash.get(hash) ?? (this.#failed.has(network) ? `network:${network}` : `secret:${hash}`)
    );
  }
}

/** A caller's call: the credential's hash, or the network, and the path. */
const callOf = (request: FastifyRequest): string => {
  const secret = presentedSecret(request)?.secret;
  const caller = secret === undefined ? networkOf(request.ip) : hashSecret(secret);
  return `${caller} ${request.url.split("?", 1)[0]}`;
};
