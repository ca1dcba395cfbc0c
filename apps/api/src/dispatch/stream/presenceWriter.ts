import { setTimeout as sleep } from "node:timers/promises";
import { type Database, isStatementTimeout, lockWithin } from "@grove/db";
import { protocol } from "@grove/schemas";
import type { FastifyBaseLogger } from "fastify";
import { type Kysely, sql } from "kysely";
import { isHeldByInstance } from "../../devices/presence";
import type { Lease } from "../../instance/lease";
import { milliseconds } from "../../lib/interval";
import { Disconnects } from "./disconnects";
import type { LocalStream } from "./localStream";
import type { Streams } from "./streams";

/** How long a write waits for a device's row. */
const LOCK_MS = 2_000;
/** How long heartbeats are collected, so that an instance writes one UPDATE for all its devices. */
const GATHER_MS = 1_000;

/**
 * Writes which devices respond. While a device responds to the process that has its stream, only its first heartbeat is
 * written: the process's lease then keeps it online. A response to another process is written each time.
 */
export class PresenceWriter {
  readonly disconnects: Disconnects;
  readonly #db: Kysely<Database>;
  readonly #lease: Lease;
  readonly #streams: Streams;
  readonly #log: FastifyBaseLogger;
  #pendingHeartbeats = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  /** The write in flight, and the next one, with all heartbeats collected until then. */
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(db: Kysely<Database>, lease: Lease, streams: Streams, log: FastifyBaseLogger) {
    this.#db = db;
    this.#lease = lease;
    this.#streams = streams;
    this.#log = log;
    this.disconnects = new Disconnects(db);
    lease.onRenewed(() => {
      // Under a new lease, each stream sends a heartbeat, and claims nothing until the device responds.
      for (const { leaseId, inbox } of streams.all()) if (leaseId !== lease.id) inbox.wakeUp.wake();
      this.disconnects.writeDue().catch((error: unknown) => this.#report(error));
    });
  }

  /** Notes that a device has answered a heartbeat of the stream with this epoch; `now` writes it before it resolves. */
  async answered(deviceId: string, epoch: number, now: boolean): Promise<void> {
    const local = this.#streams.at(deviceId, epoch);
    local?.answered();
    if (local?.isHeldUnder(this.#lease)) return;
    this.#addHeartbeat(deviceId, epoch);
    // Whether the device is online depends on it.
    if (now || local) await this.#writeSoon();
    else this.#scheduleWrite();
  }

  /** Notes when a device has answered a heartbeat of this process's stream to another process. */
  answeredElsewhere(local: LocalStream, at: number): void {
    local.answered(at);
    if (local.isHeldUnder(this.#lease)) return;
    this.#addHeartbeat(local.stream.deviceId, local.stream.epoch);
    this.#scheduleWrite();
  }

  #scheduleWrite(): void {
    this.#timer ??= setTimeout(() => {
      this.#writeSoon().catch((error) => this.#report(error));
    }, GATHER_MS);
  }

  /** An older stream's late heartbeat does not replace the newest one's. */
  #addHeartbeat(deviceId: string, epoch: number): void {
    this.#pendingHeartbeats.set(deviceId, Math.max(epoch, this.#pendingHeartbeats.get(deviceId) ?? 0));
  }

  /** Many devices that connect together share few writes: the next one begins when the last has ended, or hangs. */
  #writeSoon(): Promise<void> {
    this.#next ??= Promise.race([this.#writing, sleep(GATHER_MS, undefined, { ref: false })]).then(() => {
      this.#next = undefined;
      const written = this.#write();
      this.#writing = written.catch(() => undefined);
      return written;
    });
    return this.#next;
  }

  /** Drops what is collected; called when the process ends. */
  close(): void {
    clearTimeout(this.#timer);
    this.#pendingHeartbeats.clear();
  }

  #report(error: unknown): void {
    this.#log.error({ err: error }, "could not write device presence");
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = this.#pendingHeartbeats;
    if (gathered.size === 0) return;
    this.#pendingHeartbeats = new Map();
    // Compared with the epoch, so that an older stream's late heartbeat does not renew the newest. Every statement that
    // locks several devices takes them in the order of their ids.
    try {
      await this.#writeAll(gathered).catch((error) => {
        if (!isStatementTimeout(error)) throw error;
        // A transaction that keeps one device's row locked must not keep the others offline.
        return this.#writeAll(gathered, { skipLocked: true });
      });
    } catch (error) {
      // These heartbeats are written with the next ones.
      for (const [deviceId, epoch] of gathered) this.#addHeartbeat(deviceId, epoch);
      throw error;
    }
  }

  async #writeAll(gathered: ReadonlyMap<string, number>, { skipLocked = false } = {}): Promise<void> {
    const { id: leaseId } = this.#lease;
    const heartbeats = [...gathered];
    const localStreams = heartbeats.map(([deviceId, epoch]) => this.#streams.at(deviceId, epoch));
    const { rows } = await sql<{ id: string }>`
      with present as (
        select devices.id, heartbeat.own, ${isHeldByInstance} as held from devices
        join unnest(${heartbeats.map(([id]) => id)}::uuid[], ${heartbeats.map(([, epoch]) => epoch)}::integer[],
          ${localStreams.map((local) => local !== undefined)}::boolean[]) as heartbeat (id, epoch, own)
          on devices.id = heartbeat.id and devices.epoch = heartbeat.epoch
        where devices.revoked_at is null and ${lockWithin(LOCK_MS)}
        order by devices.id for no key update of devices ${skipLocked ? sql`skip locked` : sql``})
      update devices set last_seen_at = now(), offline_reason = null,
        instance_id = case when own then ${leaseId}::uuid else instance_id end,
        present_epoch = devices.epoch,
        present_until = case when own then null
          when held and not own then present_until else now() + ${milliseconds(protocol.leaseMs)} end
      from present where devices.id = present.id returning devices.id
    `.execute(this.#db);
    const written = new Set(rows.map(({ id }) => id));
    for (const local of localStreams) {
      if (!local) continue;
      if (written.has(local.stream.deviceId)) {
        local.leaseId = leaseId;
        local.isPresent = true;
        // The stream may have postponed its claims.
        local.inbox.wakeUp.wake();
      } else if (skipLocked) this.#addHeartbeat(local.stream.deviceId, local.stream.epoch);
      else {
        // The device is revoked, and gets that error, or has a newer stream.
        local.inbox.onRevoked();
        local.inbox.onSuperseded();
      }
    }
  }
}
