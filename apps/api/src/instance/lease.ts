import { type Database, newId } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { version } from "../../package.json";
import { milliseconds } from "../lib/interval";

export interface LeaseTimes {
  everyMs: number;
  holdsMs: number;
}

const EVERY_MS = 5_000;
/** How long a lease is valid after it was written. */
export const HOLDS_MS = 15_000;
/** Renewals in flight: more than one, so that a connection that hangs does not let the lease expire. */
const MAX_RENEWALS = 3;

/**
 * This process's row of `api_instances`. With the database's clock, the row shows other instances whether this process
 * is alive, and so whether the devices of its streams are.
 *
 * An expired lease is never renewed: the process was paused, or lost the database, and others saw its devices offline.
 * The process takes a new lease under a new id, and each of its streams must prove itself again.
 */
export class Lease {
  readonly #db: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  readonly #times: LeaseTimes;
  readonly #listeners: ((id: string) => void)[] = [];
  #id = newId();
  /** Until when the lease certainly holds: on the monotonic clock, which sleep stops, and on the wall clock. */
  #expiry = { steady: 0, wall: 0 };
  #isLeader = false;
  #inFlight = 0;
  #pendingLease: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Kysely<Database>, log: FastifyBaseLogger, times: Partial<LeaseTimes> = {}) {
    this.#db = db;
    this.#log = log;
    this.#times = { everyMs: EVERY_MS, holdsMs: HOLDS_MS, ...times };
  }

  /** The id of the current lease. It changes after a pause. */
  get id(): string {
    return this.#id;
  }

  /** Whether other instances certainly see this process as alive. */
  get holds(): boolean {
    return performance.now() < this.#expiry.steady && Date.now() < this.#expiry.wall;
  }

  /** Whether this is the leader: the oldest living instance. */
  get leads(): boolean {
    return this.#isLeader && this.holds;
  }

  /** Calls the listener after each renewal, with a new id if the previous lease had expired. */
  onRenewed(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Takes the first lease and begins to renew it. */
  async begin(): Promise<void> {
    await this.#createLease();
    this.#timer = setInterval(() => {
      if (this.#inFlight >= MAX_RENEWALS) return;
      this.#renew().catch((error) =>
        this.#log.warn({ err: error }, "could not renew the lease of this instance"),
      );
    }, this.#times.everyMs);
  }

  /** Stops renewing. The lease stays valid for a while, in which the devices reconnect to other instances. */
  close(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    const id = this.#id;
    this.#inFlight++;
    try {
      const renewed = await this.#write(
        sql`update api_instances set lease_until = now() + ${this.#duration} where id = ${id} and lease_until > now()`,
      );
      // Another renewal in flight found that the lease had expired.
      if (id !== this.#id) return;
      if (!renewed) {
        this.#expiry = { steady: 0, wall: 0 };
        this.#pendingLease ??= this.#replaceLease();
        await this.#pendingLease;
      }
    } finally {
      this.#inFlight--;
    }
    for (const listener of this.#listeners) listener(this.#id);
  }

  async #replaceLease(): Promise<void> {
    const former = this.#id;
    try {
      await this.#createLease();
    } finally {
      this.#pendingLease = undefined;
    }
    this.#log.warn({ former, id: this.#id }, "the lease of this instance had expired; it took a new one");
  }

  async #createLease(): Promise<void> {
    const id = newId();
    await this.#write(
      sql`insert into api_instances (id, lease_until, version) values (${id}, now() + ${this.#duration}, ${version})`,
    );
    this.#id = id;
  }

  /** Writes the lease. Returns false if the lease has expired. */
  async #write(statement: RawBuilder<unknown>): Promise<boolean> {
    const { holdsMs } = this.#times;
    // Read before the statement, so that the local deadline is never later than the database's.
    const until = { steady: performance.now() + holdsMs, wall: Date.now() + holdsMs };
    const { rows } = await sql<{ leads: boolean }>`
      with own as (${statement} returning id, started_at)
      select not exists (select from api_instances as other
          where other.lease_until > now() and (other.started_at, other.id) < (own.started_at, own.id)) as leads
      from own`.execute(this.#db);
    const [state] = rows;
    if (!state) return false;
    this.#isLeader = state.leads;
    this.#expiry = until;
    return true;
  }

  get #duration() {
    return milliseconds(this.#times.holdsMs);
  }
}
