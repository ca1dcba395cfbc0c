import { batch, type Database, lockWithin } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { milliseconds } from "../../lib/interval";
import type { Stream } from "./inbox";

/** How long a write waits for a device's row. */
const LOCK_MS = 2_000;
/** How long a device that was asked to reconnect counts as online. */
const AWAY_MS = 15_000;

type Reason = "disconnected" | "unresponsive";

/** A stream that has ended. Times are on the clock of `performance.now()`. */
interface Disconnect {
  stream: Stream;
  reason: Reason;
  seenAt: number;
  dueAt: number;
  isBeingWritten: boolean;
}

/**
 * Takes devices offline whose streams have ended, unless a newer stream has taken over. The epoch is raised, so that a
 * late response to an earlier heartbeat does not bring a device back online. The process's lease keeps all its other
 * devices online, so a write that fails is repeated later.
 */
export class Disconnects {
  readonly #unwritten = new Map<string, Disconnect>();
  readonly #write: (disconnect: Disconnect) => Promise<undefined>;

  constructor(db: Kysely<Database>) {
    this.#write = batch((disconnects: readonly Disconnect[]) => write(db, disconnects), {
      maxItems: 500,
      inFlight: 2,
    });
  }

  /** Records that the stream has ended. Resolves when that is written. If it rejects, the write is repeated later. */
  async recordEnd(stream: Stream, reason: Reason, seenAt: number): Promise<void> {
    const disconnect = { stream, reason, seenAt, dueAt: 0, isBeingWritten: false };
    if (this.#keep(disconnect)) await this.#writeOne(disconnect);
  }

  /** Records that the device was asked to reconnect. If it does not, it counts as disconnected. */
  expectReconnect(stream: Stream): void {
    const seenAt = performance.now();
    const dueAt = seenAt + AWAY_MS;
    this.#keep({ stream, reason: "disconnected", seenAt, dueAt, isBeingWritten: false });
  }

  /** Records that the device has reconnected to this process, with a newer stream. */
  recordReconnect(deviceId: string): void {
    this.#unwritten.delete(deviceId);
  }

  /** Repeats failed writes, and writes the devices that did not reconnect. */
  async writeDue(now = performance.now()): Promise<void> {
    const due = [...this.#unwritten.values()].filter((one) => one.dueAt <= now && !one.isBeingWritten);
    await Promise.all(due.map((disconnect) => this.#writeOne(disconnect)));
  }

  /** Returns false for a stream that ends after a newer one, and so takes no device offline. */
  #keep(disconnect: Disconnect): boolean {
    const { deviceId, epoch } = disconnect.stream;
    if ((this.#unwritten.get(deviceId)?.stream.epoch ?? 0) > epoch) return false;
    this.#unwritten.set(deviceId, disconnect);
    return true;
  }

  async #writeOne(disconnect: Disconnect): Promise<void> {
    const { deviceId } = disconnect.stream;
    disconnect.isBeingWritten = true;
    try {
      await this.#write(disconnect);
      if (this.#unwritten.get(deviceId) === disconnect) this.#unwritten.delete(deviceId);
    } finally {
      disconnect.isBeingWritten = false;
    }
  }
}

/** Every statement that locks several devices takes them in the order of their ids. */
async function write(
  db: Kysely<Database>,
  disconnects: readonly Disconnect[],
): Promise<readonly undefined[]> {
  const streams = disconnects.map(({ stream }) => stream);
  const now = performance.now();
  await sql`
    with ended as (
      select devices.id, disconnect.reason, disconnect.ago from devices
      join unnest(${streams.map(({ organizationId }) => organizationId)}::uuid[],
        ${streams.map(({ deviceId }) => deviceId)}::uuid[], ${streams.map(({ epoch }) => epoch)}::integer[],
        ${disconnects.map(({ reason }) => reason)}::text[],
        ${disconnects.map(({ seenAt }) => Math.round(now - seenAt))}::integer[])
        as disconnect (organization_id, id, epoch, reason, ago)
        on devices.organization_id = disconnect.organization_id and devices.id = disconnect.id
          and devices.epoch = disconnect.epoch
      where ${lockWithin(LOCK_MS)}
      order by devices.id for no key update of devices)
    update devices set present_until = null, instance_id = null, offline_reason = ended.reason, epoch = epoch + 1,
      last_seen_at = greatest(last_seen_at, now() - ${milliseconds(sql.ref("ended.ago"))}), updated_at = now()
    from ended where devices.id = ended.id
  `.execute(db);
  return disconnects.map(() => undefined);
}
