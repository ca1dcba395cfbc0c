import { setTimeout as sleep } from "node:timers/promises";
import { type Database, isStatementTimeout, lockWithin } from "@grove/db";
import { protocol } from "@grove/schemas";
import type { FastifyBaseLogger } from "fastify";
import { type Kysely, sql } from "kysely";

const LEASE = sql.lit(`${protocol.leaseMs} milliseconds`);
/** How long a write waits for a device's row. */
const LOCK_MS = 2_000;
/** Renewals are collected for this long, so that an instance writes one UPDATE for all its devices. */
const GATHER_MS = 1_000;

/** Writes the leases that answered beats renew. */
export class Presence {
  readonly #db: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  #gathered = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  /** The write in flight, and the next one, with all renewals collected until then. */
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(db: Kysely<Database>, log: FastifyBaseLogger) {
    this.#db = db;
    this.#log = log;
  }

  /** Renews the lease of a device's stream; `now` writes it before it resolves. */
  async renew(deviceId: string, epoch: number, now: boolean): Promise<void> {
    this.#gather(deviceId, epoch);
    if (now) return this.#soon();
    this.#timer ??= setTimeout(() => {
      this.#soon().catch((error) => this.#log.error({ err: error }, "could not renew device presence"));
    }, GATHER_MS);
  }

  /** An older stream's late beat does not replace the newest one's. */
  #gather(deviceId: string, epoch: number): void {
    this.#gathered.set(deviceId, Math.max(epoch, this.#gathered.get(deviceId) ?? 0));
  }

  /** Many devices that connect together share few writes: the next one begins when the last has ended, or hangs. */
  #soon(): Promise<void> {
    this.#next ??= Promise.race([this.#writing, sleep(GATHER_MS, undefined, { ref: false })]).then(() => {
      this.#next = undefined;
      const written = this.#write();
      this.#writing = written.catch(() => undefined);
      return written;
    });
    return this.#next;
  }

  /** Drops the collected renewals; called when the process ends. */
  close(): void {
    clearTimeout(this.#timer);
    this.#gathered.clear();
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = this.#gathered;
    if (gathered.size === 0) return;
    this.#gathered = new Map();
    // Compared with the epoch, so that an older stream's late beat does not renew the newest. Every statement that
    // locks several devices takes them in the order of their ids.
    try {
      await this.#renewAll(gathered).catch((error) => {
        if (!isStatementTimeout(error)) throw error;
        // A transaction that keeps one device's row locked must not keep the others offline.
        return this.#renewAll(gathered, "but those that are locked");
      });
    } catch (error) {
      // They are written with the next renewals.
      for (const [deviceId, epoch] of gathered) this.#gather(deviceId, epoch);
      throw error;
    }
  }

  async #renewAll(
    gathered: ReadonlyMap<string, number>,
    except?: "but those that are locked",
  ): Promise<void> {
    await sql`
      with present as (
        select devices.id from devices
        join unnest(${[...gathered.keys()]}::uuid[], ${[...gathered.values()]}::integer[]) as beat (id, epoch)
          on devices.id = beat.id and devices.epoch = beat.epoch
        where devices.revoked_at is null and ${lockWithin(LOCK_MS)}
        order by devices.id for no key update of devices ${except ? sql`skip locked` : sql``})
      update devices set present_until = now() + interval ${LEASE}, last_seen_at = now(), offline_reason = null
      from present where devices.id = present.id
    `.execute(this.#db);
  }
}

/**
 * Takes a device offline immediately when its stream ends, unless a newer stream has taken over. The epoch is raised,
 * so that an answer to an earlier beat that arrives or is written later does not bring the device back online.
 */
export async function endPresence(
  db: Kysely<Database>,
  stream: { organizationId: string; deviceId: string; epoch: number },
  reason: "disconnected" | "unresponsive",
): Promise<void> {
  await db
    .updateTable("devices")
    .set((eb) => ({
      present_until: null,
      instance_id: null,
      offline_reason: reason,
      epoch: eb("epoch", "+", 1),
    }))
    .where("organization_id", "=", stream.organizationId)
    .where("id", "=", stream.deviceId)
    .where("epoch", "=", stream.epoch)
    .execute();
}
