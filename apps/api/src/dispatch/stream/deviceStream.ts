import { timeOfId } from "@grove/db";
import { type DeviceEvent, protocol } from "@grove/schemas";
import { record } from "@grove/tracing";
import type { Services } from "../../services";
import { HeartbeatClock } from "./heartbeatClock";
import type { Pending } from "./inbox";
import type { LocalStream } from "./localStream";
import { CLAIM_LIMIT, claim, stillClaimed, unsettled } from "./openRows";

/** When rows are locked, the queue is read again after this time. */
const CLAIM_AGAIN_MS = 1_000;

/** How a device left. Undefined for a device that reconnects, which still counts as online. */
type Departure = "disconnected" | "unresponsive" | undefined;

/** The loop of one stream. Times are on the clock of `performance.now()`. */
export class DeviceStream {
  readonly #services: Services;
  readonly #local: LocalStream;
  readonly #heartbeats: HeartbeatClock;
  readonly #clientGone: AbortSignal;
  readonly #stillValid: () => Promise<boolean>;
  #departure: Departure = "disconnected";
  #endsAt = performance.now() + protocol.deviceStreamMs * (1 - Math.random() / 10);
  #isLeaving = false;
  /** Whether commands may be queued that were not announced. */
  #mayBeQueued = true;
  #claimAgainAt = Number.POSITIVE_INFINITY;

  constructor(
    services: Services,
    local: LocalStream,
    clientGone: AbortSignal,
    stillValid: () => Promise<boolean>,
  ) {
    this.#services = services;
    this.#local = local;
    this.#heartbeats = new HeartbeatClock(local, services.dispatch.streams);
    this.#clientGone = clientGone;
    this.#stillValid = stillValid;
  }

  async *run(): AsyncGenerator<DeviceEvent> {
    const { dispatch, lease } = this.#services;
    const { streams, presence } = dispatch;
    const { stream, inbox, sent } = this.#local;
    presence.disconnects.recordReconnect(stream.deviceId);
    let detach = () => {};
    try {
      yield* this.#unsettled();
      detach = streams.open(this.#local);
      while (!this.#clientGone.aborted) {
        const now = performance.now();
        if (await this.#isRevoked(now)) return void (yield { type: "revoked" });
        if (inbox.newestEpoch > stream.epoch || inbox.isSuperseded) return;
        if (this.#isOver(now)) {
          this.#departure = undefined;
          return void (yield { type: "drain" });
        }
        this.#heartbeats.onLease(lease.id, now);
        if (now >= this.#heartbeats.silentAt && lease.holds) return this.#departAs("unresponsive");
        if (now >= this.#heartbeats.nextAt) yield this.#heartbeats.next(now);
        const pending = inbox.drain();
        yield* this.#forward(pending, now);
        yield* this.#pushed();
        if (this.#wantsToClaim(now) && (yield* this.#claim(pending, now))) continue;
        if (await sent.overdue((ids) => stillClaimed(this.#services, stream, ids)))
          return this.#departAs("unresponsive");
        await this.#wait(now);
      }
    } finally {
      detach();
      await this.#writeDeparture();
    }
  }

  /** Whether the device's key was revoked. The announcement is a hint: it may concern an earlier key, or be lost. */
  async #isRevoked(now: number): Promise<boolean> {
    if (!this.#local.inbox.takeRevalidation()) return false;
    this.#local.provenAt = Number.NEGATIVE_INFINITY;
    if (!(await this.#stillValid())) return true;
    this.#local.provenAt = now;
    return false;
  }

  /** Whether the device has to connect again: this process drains, or the stream is 14 minutes old. */
  #isOver(now: number): boolean {
    const { stopping, draining, config } = this.#services;
    if (stopping.aborted && !this.#isLeaving) {
      this.#isLeaving = true;
      this.#endsAt = Math.min(this.#endsAt, now + Math.random() * (config.drainMs ?? 0));
    }
    return draining.aborted || now >= this.#endsAt;
  }

  async *#forward({ canceled, watched, settled, claimed, resync }: Pending, now: number) {
    for (const id of canceled) yield { type: "cancel", id } as const;
    for (const sessionId of watched) yield { type: "watch", sessionId } as const;
    if (settled.length > 0) yield { type: "settled", ids: settled } as const;
    if (resync) {
      // The database was unreachable, and may have lost its newest rows: the response to the next heartbeat is
      // stored again.
      this.#local.isPresent = false;
      this.#heartbeats.requestSoon(now);
      yield* this.#unsettled();
    } else if (claimed.length > 0) yield* this.#unsettled(claimed);
  }

  /** Sends the commands of this stream that are not settled. */
  async *#unsettled(ids?: string[]): AsyncGenerator<DeviceEvent> {
    for await (const event of unsettled(this.#services, this.#local.stream, ids)) yield this.#sending(event);
  }

  /** Before the claim, and until none is left: commands that are claimed later were submitted later. */
  async *#pushed(): AsyncGenerator<DeviceEvent> {
    const { inbox } = this.#local;
    for (let pushed = inbox.takeCommand(); pushed; pushed = inbox.takeCommand()) {
      this.#services.metrics?.woken("process", (performance.now() - pushed.at) / 1_000);
      yield this.#sending(pushed.command);
    }
  }

  #wantsToClaim(now: number): boolean {
    return this.#local.inbox.isQueued || this.#mayBeQueued || now >= this.#claimAgainAt;
  }

  /** Claims queued commands and sends them. Returns whether there may be more. */
  async *#claim({ resync }: Pending, now: number): AsyncGenerator<DeviceEvent, boolean> {
    const { lease, metrics } = this.#services;
    const { inbox, stream, leaseId } = this.#local;
    // While others may have seen this process as dead, its streams may be replaced.
    if (leaseId !== lease.id || !lease.holds) {
      this.#claimAgainAt = now + CLAIM_AGAIN_MS;
      return false;
    }
    const queued = inbox.takeQueued();
    const isExpected = this.#mayBeQueued || now >= this.#claimAgainAt;
    const claimedCommands = await claim(
      this.#services,
      stream,
      queued === "announced" && !resync && !isExpected,
    );
    // Only the fallback poll found them: a wake-up was lost.
    if (
      queued === "found" &&
      !isExpected &&
      this.#claimAgainAt === Number.POSITIVE_INFINITY &&
      claimedCommands?.length
    )
      metrics?.found("queued");
    this.#claimAgainAt = claimedCommands ? Number.POSITIVE_INFINITY : performance.now() + CLAIM_AGAIN_MS;
    for (const event of claimedCommands ?? []) yield this.#sending(event);
    this.#mayBeQueued = claimedCommands?.length === CLAIM_LIMIT;
    return this.#mayBeQueued;
  }

  /** Notes a command that is sent: the device has to acknowledge it. Its trace shows how long it was queued. */
  #sending(event: DeviceEvent): DeviceEvent {
    if (event.type !== "command") return event;
    const { id, traceParent } = event;
    if (traceParent !== undefined)
      record(
        "command queue",
        { parent: traceParent, kind: "producer", attributes: { "grove.command": id } },
        timeOfId(id).getTime(),
      );
    this.#local.sent.add(event);
    return event;
  }

  /** Waits for a wake-up, or for the first moment at which something is due. */
  async #wait(now: number): Promise<void> {
    const { draining, stopping } = this.#services;
    const { sent, inbox } = this.#local;
    const { nextAt, silentAt } = this.#heartbeats;
    // While this process holds no lease, it does not end the stream of a silent device. It checks the silence when it
    // holds a lease again.
    const departsAt = silentAt > now ? silentAt : Number.POSITIVE_INFINITY;
    const dueAt = Math.min(nextAt, sent.nextCheck, this.#claimAgainAt, this.#endsAt, departsAt);
    // `stopping` stays aborted, and would end every later wait.
    const end = this.#isLeaving ? draining : stopping;
    await inbox.wakeUp.wait(dueAt - performance.now(), [this.#clientGone, end]);
  }

  #departAs(departure: Departure): void {
    this.#departure = departure;
  }

  async #writeDeparture(): Promise<void> {
    const { disconnects } = this.#services.dispatch.presence;
    const { stream, answeredAt } = this.#local;
    if (this.#departure === undefined) return disconnects.expectReconnect(stream);
    const at = this.#departure === "unresponsive" ? answeredAt : performance.now();
    await disconnects.recordEnd(stream, this.#departure, at);
  }
}
