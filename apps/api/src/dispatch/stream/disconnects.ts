import { batch, type Database, lockWithin } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { Stream } from "./inbox";

/** How long a write waits for a device's row. */
const LOCK_MS = 2_000;
/** How long a device that was sent away counts as online: it comes back immediately, here or elsewhere. */
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
 * Takes devices offline whose streams have ended, unless a newer stream has taken over. The epoch is raised, so that an
 * answer to an earlier beat that arrives or is written later does not bring a device back online. The lease of the
 * process speaks for every device that is not taken offline, so what cannot be written now is written later.
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

  /** Says that the stream has ended. Resolves when that is written; if it rejects, it is written later. */
  async say(stream: Stream, reason: Reason, seenAt: number): Promise<void> {
    const goodbye = { stream, reason, seenAt, dueAt: 0, isBeingWritten: false };
    if (this.#owe(goodbye)) await this.#settle(goodbye);
  }

  /** Says that the device was told to connect again. If it does not, it counts as disconnected. */
  away(stream: Stream): void {
    const seenAt = performance.now();
    const dueAt = seenAt + AWAY_MS;
    this.#owe({ stream, reason: "disconnected", seenAt, dueAt, isBeingWritten: false });
  }

  /** Says that the device has connected to this process again, with a newer stream. */
  back(deviceId: string): void {
    this.#owed.delete(deviceId);
  }

  /** Writes what could not be written before, and the devices that did not come back. */
  async writeDue(now = performance.now()): Promise<void> {
    const due = [...this.#owed.values()].filter((one) => one.dueAt <= now && !one.isBeingWritten);
    await Promise.all(due.map((goodbye) => this.#settle(goodbye)));
  }

  /** Returns false for a stream that ends after a newer one, and so takes nobody offline. */
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
