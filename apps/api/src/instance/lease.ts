import { type Database, newId } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { version } from "../../package.json";

/** How often an instance renews its lease, and how long that then holds. */
export interface LeaseTimes {
  everyMs: number;
  holdsMs: number;
}

const EVERY_MS = 5_000;
/** How long a lease holds after it was written. */
export const HOLDS_MS = 15_000;
/** A connection that hangs must not let the lease run out. */
const MOST_RENEWALS = 3;

/**
 * This process's row of `api_instances`. By it, and by the database's clock, everyone knows whether the process lives,
 * and with it the devices that it has the streams of.
 *
 * A lease that has run out never comes back: the process had been paused, or had lost the database, and others have
 * seen its devices offline. It takes a new lease under a new id, and must prove each of its streams again.
 */
export class Lease {
  readonly #db: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  readonly #times: LeaseTimes;
  readonly #listeners: ((id: string) => void)[] = [];
  #id = newId();
  /** Until when it certainly holds: by the clock of the process, which sleep stops, and by that of the machine. */
  #until = { steady: 0, wall: 0 };
  #leads = false;
  #inFlight = 0;
  #taking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Kysely<Database>, log: FastifyBaseLogger, times: Partial<LeaseTimes> = {}) {
    this.#db = db;
    this.#log = log;
    this.#times = { everyMs: EVERY_MS, holdsMs: HOLDS_MS, ...times };
  }

  /** The id of the newest lease; after a pause it is another one than before. */
  get id(): string {
    return this.#id;
  }

  /** Whether others see this process alive for certain. */
  get holds(): boolean {
    return performance.now() < this.#until.steady && Date.now() < this.#until.wall;
  }

  /** Whether this is the oldest living instance, which does what one must do for all. */
  get leads(): boolean {
    return this.#leads && this.holds;
  }

  /** Calls the listener after each renewal, and with a new id when the former lease had run out. */
  onRenewed(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Takes the first lease and begins to renew it. */
  async begin(): Promise<void> {
    await this.#take();
    this.#timer = setInterval(() => {
      if (this.#inFlight >= MOST_RENEWALS) return;
      this.#renew().catch((error) =>
        this.#log.warn({ err: error }, "could not renew the lease of this instance"),
      );
    }, this.#times.everyMs);
  }

  /** Stops renewing. The lease still holds for a while, in which the devices come back elsewhere. */
  close(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    const id = this.#id;
    this.#inFlight++;
    try {
      const renewed = await this.#write(
        sql`update api_instances set lease_until = now() + ${this.#length} where id = ${id} and lease_until > now()`,
      );
      // Another renewal in flight has found that it had run out.
      if (id !== this.#id) return;
      if (!renewed) {
        this.#until = { steady: 0, wall: 0 };
        this.#taking ??= this.#takeAnother();
        await this.#taking;
      }
    } finally {
      this.#inFlight--;
    }
    for (const listener of this.#listeners) listener(this.#id);
  }

  async #takeAnother(): Promise<void> {
    const former = this.#id;
    try {
      await this.#take();
    } finally {
      this.#taking = undefined;
    }
    this.#log.warn({ former, id: this.#id }, "the lease of this instance had run out; it has taken another");
  }

  async #take(): Promise<void> {
    const id = newId();
    await this.#write(
      sql`insert into api_instances (id, lease_until, version) values (${id}, now() + ${this.#length}, ${version})`,
    );
    this.#id = id;
  }

  /** Writes the lease; returns whether there was one to write. */
  async #write(statement: RawBuilder<unknown>): Promise<boolean> {
    const { holdsMs } = this.#times;
    // The database counts from a later moment.
    const until = { steady: performance.now() + holdsMs, wall: Date.now() + holdsMs };
    const { rows } = await sql<{ leads: boolean }>`
      with own as (${statement} returning id, started_at)
      select not exists (select from api_instances as other
          where other.lease_until > now() and (other.started_at, other.id) < (own.started_at, own.id)) as leads
      from own`.execute(this.#db);
    const [state] = rows;
    if (!state) return false;
    this.#leads = state.leads;
    this.#until = until;
    return true;
  }

  get #length() {
    return sql`${sql.lit(this.#times.holdsMs)} * interval '1 millisecond'`;
  }
}
