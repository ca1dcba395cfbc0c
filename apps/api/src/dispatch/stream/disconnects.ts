import { batch, type Database, lockWithin } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { Stream } from "./inbox";

/** How long a write waits for a device's row. */
const LOCK_MS = 2_000;
/** How long a device that was asked to reconnect counts as online. */
const AWAY_MS = 15_000;

type Reason = "disconnected" | "unresponsive";

/** A stream that has ended. Times are on the clock of `performance.now()`. */
interface Goodbye {
  stream: Stream;
  reason: Reason;
  seenAt: number;
  dueAt: number;
  isBeingWritten: boolean;
}

/**
 * Takes devices offline whose streams have ended, unless a newer stream has taken over. The epoch is raised, so that a
 * late answer to an earlier beat does not bring a device back online. The process's lease keeps all its other devices
 * online, so a write that fails is repeated later.
 */
export class Disconnects {
  readonly #owed = new Map<string, Goodbye>();
  readonly #write: (goodbye: Goodbye) => Promise<undefined>;

  constructor(db: Kysely<Database>) {
    this.#write = batch((disconnects: readonly Goodbye[]) => write(db, disconnects), {
      most: 500,
      inFlight: 2,
    });
  }

  /** Records that the stream has ended. Resolves when that is written. If it rejects, the write is repeated later. */
  async say(stream: Stream, reason: Reason, seenAt: number): Promise<void> {
    const goodbye = { stream, reason, seenAt, dueAt: 0, isBeingWritten: false };
    if (this.#owe(goodbye)) await this.#settle(goodbye);
  }

  /** Records that the device was asked to reconnect. If it does not, it counts as disconnected. */
  away(stream: Stream): void {
    const seenAt = performance.now();
    const dueAt = seenAt + AWAY_MS;
    this.#owe({ stream, reason: "disconnected", seenAt, dueAt, isBeingWritten: false });
  }

  /** Records that the device has reconnected to this process, with a newer stream. */
  back(deviceId: string): void {
    this.#owed.delete(deviceId);
  }

  /** Repeats failed writes, and writes the devices that did not reconnect. */
  async writeDue(now = performance.now()): Promise<void> {
    const due = [...this.#owed.values()].filter((one) => one.dueAt <= now && !one.isBeingWritten);
    await Promise.all(due.map((goodbye) => this.#settle(goodbye)));
  }

  /** Returns false for a stream that ends after a newer one, and so takes no device offline. */
  #owe(goodbye: Goodbye): boolean {
    const { deviceId, epoch } = goodbye.stream;
    if ((this.#owed.get(deviceId)?.stream.epoch ?? 0) > epoch) return false;
    this.#owed.set(deviceId, goodbye);
    return true;
  }

  async #settle(goodbye: Goodbye): Promise<void> {
    const { deviceId } = goodbye.stream;
    goodbye.isBeingWritten = true;
    try {
      await this.#write(goodbye);
      if (this.#owed.get(deviceId) === goodbye) this.#owed.delete(deviceId);
    } finally {
      goodbye.isBeingWritten = false;
    }
  }
}

/** Every statement that locks several devices takes them in the order of their ids. */
async function write(db: Kysely<Database>, disconnects: readonly Goodbye[]): Promise<readonly undefined[]> {
  const streams = disconnects.map(({ stream }) => stream);
  const now = performance.now();
  await sql`
    with ended as (
      select devices.id, goodbye.reason, goodbye.ago from devices
      join unnest(${streams.map(({ organizationId }) => organizationId)}::uuid[],
        ${streams.map(({ deviceId }) => deviceId)}::uuid[], ${streams.map(({ epoch }) => epoch)}::integer[],
        ${disconnects.map(({ reason }) => reason)}::text[],
        ${disconnects.map(({ seenAt }) => Math.round(now - seenAt))}::integer[])
        as goodbye (organization_id, id, epoch, reason, ago)
        on devices.organization_id = goodbye.organization_id and devices.id = goodbye.id
          and devices.epoch = goodbye.epoch
      where ${lockWithin(LOCK_MS)}
      order by devices.id for no key update of devices)
    update devices set present_until = null, instance_id = null, offline_reason = ended.reason, epoch = epoch + 1,
      last_seen_at = greatest(last_seen_at, now() - ended.ago * interval '1 millisecond'), updated_at = now()
    from ended where devices.id = ended.id
  `.execute(db);
  return disconnects.map(() => undefined);
}
