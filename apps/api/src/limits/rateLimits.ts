import { isIPv4 } from "node:net";
import { GroveError } from "@grove/auth";
import { MINUTE_MS } from "@grove/schemas";
import { LRUCache } from "lru-cache";

/** At most `max` actions within `windowMs`. */
export interface Limit {
  max: number;
  windowMs: number;
}

/** A limit per network, and a higher one in total, so that one network cannot lock out an account's owner. */
interface SourcedLimit extends Limit {
  maxTotal: number;
}

/** Limits for passwords, mails, invitations and deliveries. Each instance counts separately. */
export const defaultLimits = {
  /** Calls from one network address: passwords tried, accounts made, mails requested. */
  address: { max: 60, windowMs: MINUTE_MS },
  /** Wrong passwords for one account, whether it exists or not: from one network, and from all networks together. */
  account: { max: 10, maxTotal: 200, windowMs: 10 * MINUTE_MS },
  /** Mails to one mailbox: requested from one network, and from all networks together. */
  mail: { max: 5, maxTotal: 20, windowMs: 60 * MINUTE_MS },
  /** Invitations to one mailbox: by one organization, and by all organizations together. */
  invitationsReceived: { max: 5, maxTotal: 20, windowMs: 60 * MINUTE_MS },
  /** Invitations by one user: they carry the user's own text to any address. */
  invitations: { max: 100, windowMs: 60 * MINUTE_MS },
  /** Deliveries to one webhook with its provider's signature. */
  deliveries: { max: 1_200, windowMs: MINUTE_MS },
  /** Test notifications by one user. */
  testNotifications: { max: 10, windowMs: MINUTE_MS },
} satisfies Record<string, Limit | SourcedLimit>;

/** Refused deliveries to one webhook that are recorded. Anyone who has the address can cause them. */
const REFUSED_DELIVERIES: Limit = { max: 60, windowMs: MINUTE_MS };

/** The most keys counted at a time, so that memory is bounded. The least recently used key is evicted first. */
const MAX_KEYS = 20_000;

/** Counts actions by a key, in windows that begin with the first action. */
export class RateLimit {
  readonly #max: number;
  readonly #countByKey: LRUCache<string, number>;

  constructor({ max, windowMs }: Limit) {
    this.#max = max;
    this.#countByKey = new LRUCache({ max: MAX_KEYS, ttl: windowMs, noUpdateTTL: true });
  }

  /**
   * Counts an action.
   * @throws {GroveError} TOO_MANY_REQUESTS `rate_limited`, with `retryAfterSeconds`
   */
  take(key: string): void {
    const used = (this.#countByKey.get(key) ?? 0) + 1;
    if (used > this.#max) {
      const retryAfterSeconds = Math.max(1, Math.ceil(this.#countByKey.getRemainingTTL(key) / 1000));
      throw new GroveError(
        "TOO_MANY_REQUESTS",
        `Too many attempts. Try again in ${retryAfterSeconds} seconds.`,
        { reason: "rate_limited", details: { retryAfterSeconds } },
      );
    }
    this.#countByKey.set(key, used);
  }

  /** Resets the count. */
  clear(key: string): void {
    this.#countByKey.delete(key);
  }

  /** Undoes the last `take`. */
  refund(key: string): void {
    const used = this.#countByKey.get(key);
    if (used !== undefined) this.#countByKey.set(key, used - 1);
  }
}

/** Counts actions by source, and of all sources together. */
class SourcedRateLimit {
  readonly #perSource: RateLimit;
  readonly #allSources: RateLimit;

  constructor({ max, maxTotal, windowMs }: SourcedLimit) {
    this.#perSource = new RateLimit({ max, windowMs });
    this.#allSources = new RateLimit({ max: maxTotal, windowMs });
  }

  /**
   * Counts an action. An action that is refused for its source does not count for the others.
   * @throws {GroveError} TOO_MANY_REQUESTS `rate_limited`, with `retryAfterSeconds`
   */
  take(key: string, source: string): void {
    this.#perSource.take(`${source} ${key}`);
    this.#allSources.take(key);
  }

  /**
   * Resets this network's attempts after a successful sign-in. Attempts from other networks stay counted.
   */
  clear(key: string, source: string): void {
    this.#perSource.clear(`${source} ${key}`);
    this.#allSources.refund(key);
  }
}

export const createLimits = (limits: typeof defaultLimits = defaultLimits) => ({
  address: new RateLimit(limits.address),
  account: new SourcedRateLimit(limits.account),
  mail: new SourcedRateLimit(limits.mail),
  invitationsReceived: new SourcedRateLimit(limits.invitationsReceived),
  invitations: new RateLimit(limits.invitations),
  deliveries: new RateLimit(limits.deliveries),
  testNotifications: new RateLimit(limits.testNotifications),
  refusedDeliveries: new RateLimit(REFUSED_DELIVERIES),
});
export type Limits = ReturnType<typeof createLimits>;

/** One customer's network: an IPv4 address, or the IPv6 /64 that a provider gives to each customer (RFC 6177). */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip)?.[1];
  if (isIPv4(ip) || mapped !== undefined) return mapped ?? ip;
  const [head = "", tail] = ip.toLowerCase().split("::", 2);
  const groups = head.split(":").filter((group) => group !== "");
  const lastGroups = tail?.split(":").filter((group) => group !== "") ?? [];
  if (tail !== undefined) while (groups.length + lastGroups.length < 8) groups.push("0");
  return [...groups, ...lastGroups].slice(0, 4).join(":");
}
