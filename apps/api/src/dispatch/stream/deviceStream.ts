import type { DevicePrincipal } from "@grove/auth";
import { timeOfId } from "@grove/db";
import { type DeviceConnectInput, type DeviceEvent, protocol } from "@grove/schemas";
import { record } from "@grove/tracing";
import pLimit from "p-limit";
import { endWhenDraining } from "../../lib/draining";
import type { Services } from "../../services";
import { connect } from "./connect";
import { Inbox, type Pending } from "./inbox";
import { LocalStream } from "./localStream";
import { CLAIM_LIMIT, claim, stillClaimed, unsettled } from "./openRows";
import { beatMsOf } from "./streams";

/** After an outage, all devices are asked for a beat within this time, or sooner if they are few. */
const RESYNC_SPREAD_MS = 2_000;
/** How many beats in a row a device may leave unanswered. */
const MISSED_BEATS = 3;
/** Beats that are due within this time are asked for together. */
const TOGETHER_MS = 100;
/** How many devices connect at a time: after an outage all come back together, and each needs statements. */
const connecting = pLimit(64);
/** When rows are locked, the queue is read again after this time. */
const CLAIM_AGAIN_MS = 1_000;

/**
 * Streams a device its commands: claims them as they come, and sends each at least once. The rows show which are open.
 * The stream ends when the device disconnects, is revoked, falls silent or connects again, when this process drains,
 * and after 14 minutes.
 */
export async function* deliver(
  services: Services,
  device: DevicePrincipal,
  input: DeviceConnectInput,
  clientGone: AbortSignal,
  stillValid: () => Promise<boolean>,
): AsyncGenerator<DeviceEvent> {
  const { notifier } = services.database;
  const inbox = new Inbox();
  // Listening begins before the first read, so that no change between the two is missed.
  const unsubscribe = [
    notifier.subscribe("device_wake", device.deviceId, (event) => inbox.onWake(event)),
    notifier.subscribe("credential_revoked", device.deviceId, () => inbox.onRevoked()),
  ];
  try {
    // The device may have disconnected while the database stalled. Its old connection must not replace its newer one.
    const connected = await connecting(() => {
      if (clientGone.aborted) return undefined;
      endWhenDraining({ draining: services.stopping });
      return connect(services, device, input);
    });
    if (connected === undefined) return;
    const { organizationId, deviceId, keyHash } = device;
    const { epoch, leaseId } = connected;
    const stream = { organizationId, deviceId, journalId: input.journalId, epoch };
    const local = new LocalStream({ stream, inbox, keyHash, leaseId });
    yield* new DeviceStream(services, local, input.obeysNextMs, clientGone, stillValid).run();
  } finally {
    for (const end of unsubscribe) end();
  }
}

/** How a device left; undefined if it was asked to connect again, and so still counts as online. */
type Departure = "disconnected" | "unresponsive" | undefined;

/** The loop of one stream. Times are on the clock of `performance.now()`. */
class DeviceStream {
  readonly #services: Services;
  readonly #local: LocalStream;
  readonly #obeysNextMs: boolean | undefined;
  readonly #clientGone: AbortSignal;
  readonly #stillValid: () => Promise<boolean>;
  #departure: Departure = "disconnected";
  /** The lease under which the device was last asked for a beat. */
  #askedUnder: string;
  #beats = 0;
  #nextBeatAt = performance.now();
  #endsAt = performance.now() + protocol.deviceStreamMs * (1 - Math.random() / 10);
  #isLeaving = false;
  /** Whether commands may be queued that were not announced. */
  #mayBeQueued = true;
  #claimAgainAt = Number.POSITIVE_INFINITY;

  constructor(
    services: Services,
    local: LocalStream,
    obeysNextMs: boolean | undefined,
    clientGone: AbortSignal,
    stillValid: () => Promise<boolean>,
  ) {
    this.#services = services;
    this.#local = local;
    this.#obeysNextMs = obeysNextMs;
    this.#clientGone = clientGone;
    this.#stillValid = stillValid;
    this.#askedUnder = local.leaseId;
  }

  async *run(): AsyncGenerator<DeviceEvent> {
    const { streams, presence } = this.#services.dispatch;
    const { stream, inbox, sent } = this.#local;
    presence.disconnects.back(stream.deviceId);
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
        this.#askUnderNewLease(now);
        if (now >= this.#silentAt && this.#services.lease.holds) return this.#departAs("unresponsive");
        if (now >= this.#nextBeatAt) yield this.#beat(now);
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

  /** After a pause of this process, others saw the device offline: an answer proves its stream again. */
  #askUnderNewLease(now: number): void {
    const { lease } = this.#services;
    if (this.#askedUnder === lease.id) return;
    this.#askedUnder = lease.id;
    this.#local.answered();
    this.#beatSoon(now);
  }

  get #beatMs(): number {
    return beatMsOf(this.#services.dispatch.streams.count, this.#obeysNextMs);
  }

  get #silentAt(): number {
    return this.#local.answeredAt + MISSED_BEATS * this.#beatMs;
  }

  #beat(now: number): DeviceEvent {
    this.#nextBeatAt = withOthers(now + this.#beatMs);
    return { type: "beat", n: this.#beats++, epoch: this.#local.stream.epoch, nextMs: this.#beatMs };
  }

  /** At a random moment: after an outage many devices are asked. */
  #beatSoon(now: number): void {
    this.#nextBeatAt = Math.min(this.#nextBeatAt, now + spreadOver(this.#services.dispatch.streams.count));
  }

  async *#forward({ canceled, watched, settled, claimed, resync }: Pending, now: number) {
    for (const id of canceled) yield { type: "cancel", id } as const;
    for (const sessionId of watched) yield { type: "watch", sessionId } as const;
    if (settled.length > 0) yield { type: "settled", ids: settled } as const;
    if (resync) {
      // The database was away, and may have lost its newest rows: the answer to the next beat is written again.
      this.#local.isPresent = false;
      this.#beatSoon(now);
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
    const taken = await claim(this.#services, stream, queued === "announced" && !resync && !isExpected);
    // Only the fallback poll found them: a wake-up was lost.
    if (queued === "found" && !isExpected && this.#claimAgainAt === Number.POSITIVE_INFINITY && taken?.length)
      metrics?.found("queued");
    this.#claimAgainAt = taken ? Number.POSITIVE_INFINITY : performance.now() + CLAIM_AGAIN_MS;
    for (const event of taken ?? []) yield this.#sending(event);
    this.#mayBeQueued = taken?.length === CLAIM_LIMIT;
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

  /** Waits for news, or for the first moment at which something is due. */
  async #wait(now: number): Promise<void> {
    const { draining, stopping } = this.#services;
    const { sent, inbox } = this.#local;
    // A device that is silent already stays while this process holds no lease, and is judged when it does.
    const silentAt = this.#silentAt > now ? this.#silentAt : Number.POSITIVE_INFINITY;
    const dueAt = Math.min(this.#nextBeatAt, sent.nextCheck, this.#claimAgainAt, this.#endsAt, silentAt);
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
    if (this.#departure === undefined) return disconnects.away(stream);
    const at = this.#departure === "unresponsive" ? answeredAt : performance.now();
    await disconnects.say(stream, this.#departure, at);
  }
}

/**
 * The next moment at which streams are asked for their beats. Many are then answered together: an answer that comes
 * alone takes 0.64 ms of the processor, and one among others 0.26 (`pnpm bench scale`).
 */
const withOthers = (time: number) => Math.ceil(time / TOGETHER_MS) * TOGETHER_MS;

/** A stream's own moment, when this process asks so many for a beat. */
const spreadOver = (streams: number) => Math.random() * Math.min(RESYNC_SPREAD_MS, streams);
