import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import { kindOf, type Stored } from "./quotaKinds";

/** How long a count is valid. Until then, only what this process stores is added. */
const COUNT_VALID_MS = 10 * 60_000;
/** How soon an exhausted quota is counted again, since rows may have been deleted. A sum of bytes reads every row. */
const RECOUNT_MS = 2_000;
const RECOUNT_BYTES_MS = 60_000;
const MAX_CACHED = 20_000;
/** Deleting old rows frees this share of the limit, so that few calls have to delete any. */
const DROPPED_SHARE = 1 / 64;

interface Usage {
  remaining: number;
  /** Whether more may remain than this, which is used up before the next count. */
  isPartial: boolean;
  at: number;
}

/**
 * Bounds what an organization or a user stores. The bound is approximate: an instance counts only occasionally, so that
 * hardly any call waits for it, and other instances may store a little more in between.
 */
export class Quotas {
  readonly #usage = new LRUCache<string, Usage>({ max: MAX_CACHED, ttl: COUNT_VALID_MS });

  readonly #limits: Partial<Record<Stored, number>>;

  /** @param limits replaces some of the defaults */
  constructor(limits: Partial<Record<Stored, number>> = {}) {
    this.#limits = limits;
  }

  /**
   * Takes rows or bytes from a quota, for data about to be stored, or just stored in the same transaction. Replacing a
   * value counts as adding its bytes, until the next full count.
   * @param db inside a transaction, the transaction itself: the call must not wait for a second connection
   * @param owner the id of the organization or the user
   * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
   */
  async take(db: Kysely<Database>, stored: Stored, owner: string, more = 1): Promise<void> {
    const usage = await this.#usageOf(db, stored, owner, more);
    if (usage.remaining < more) throw this.#refusal(stored);
    usage.remaining -= more;
  }

  /**
   * Like {@link take}, for data whose oldest rows may be deleted: at the limit, they are deleted first.
   * @param drop deletes about this many bytes of the oldest rows, and returns how many bytes were deleted
   */
  async takeFromOldest(
    db: Kysely<Database>,
    stored: Stored,
    owner: string,
    more: number,
    drop: (bytes: number) => Promise<number>,
  ): Promise<void> {
    const usage = await this.#usageOf(db, stored, owner, more);
    if (usage.remaining < more)
      usage.remaining += await drop(more + Math.ceil(this.#limitOf(stored) * DROPPED_SHARE));
    await this.take(db, stored, owner, more);
  }

  async #usageOf(db: Kysely<Database>, stored: Stored, owner: string, more: number): Promise<Usage> {
    const key = `${stored} ${owner}`;
    const cached = this.#usage.get(key);
    if (cached && (cached.remaining >= more || !this.#mayHaveMore(stored, cached))) return cached;
    const { uncountedAllowance } = kindOf(stored);
    const at = performance.now();
    if (uncountedAllowance === undefined) {
      const fresh = { remaining: await this.#count(db, stored, owner), isPartial: false, at };
      this.#usage.set(key, fresh);
      return fresh;
    }
    const remaining =
      cached || uncountedAllowance > this.#limitOf(stored)
        ? await this.#count(db, stored, owner)
        : uncountedAllowance;
    const fresh = {
      remaining: Math.min(remaining, uncountedAllowance),
      isPartial: remaining >= uncountedAllowance,
      at,
    };
    // If this entry expired, the same amount could be stored again without being counted.
    this.#usage.set(key, fresh, { ttl: 0 });
    return fresh;
  }

  /** Whether another count may find that more remains. */
  #mayHaveMore(stored: Stored, { isPartial, at }: Usage): boolean {
    const recountMs = stored.endsWith("Bytes") ? RECOUNT_BYTES_MS : RECOUNT_MS;
    return isPartial || performance.now() - at > recountMs;
  }

  #limitOf(stored: Stored): number {
    return this.#limits[stored] ?? kindOf(stored).limit;
  }

  async #count(db: Kysely<Database>, stored: Stored, owner: string): Promise<number> {
    const limit = this.#limitOf(stored);
    const { rows } = await kindOf(stored).counted(owner, limit).execute(db);
    return limit - Number(rows[0]?.counted ?? 0);
  }

  #refusal(stored: Stored): GroveError {
    const limit = this.#limitOf(stored);
    return new GroveError("PRECONDITION_FAILED", kindOf(stored).refusal.replace("#", `${limit}`), {
      reason: "quota_exceeded",
      details: { stored, limit },
    });
  }
}
