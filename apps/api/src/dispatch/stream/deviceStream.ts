import type { DevicePrincipal } from "@grove/auth";
import type { NotifierEvent } from "@grove/db";
import type { DeviceEvent, deviceConnectInput } from "@grove/schemas";
import type { z } from "zod";
import { WakeUp } from "../../lib/wakeUp";
import type { Services } from "../../services";
import { LocalStream } from "../local";
import { connect } from "./connect";
import { CLAIM_LIMIT, type CommandEvent, claim, type Stream, stillClaimed, unsettled } from "./openRows";
import { endPresence } from "./presence";

const BEAT_MS = 15_000;
/** After an outage, all devices are asked for a beat within this. */
const RESYNC_SPREAD_MS = 2_000;
/** A command that was sent must be begun or answered within this, or the stream is not alive. */
const ACKNOWLEDGE_MS = 5_000;
/** When rows are locked, the queue is looked at again after this. */
const CLAIM_AGAIN_MS = 1_000;
/** Below tRPC's own limit of 15 minutes, so that the device is told first. */
const STREAM_MS = 14 * 60_000;

/**
 * A device's stream: claims its commands as they come and sends them, at least once; the rows say what is open.
 * Ends when the device hangs up, is revoked, falls silent or connects anew, when this process drains, and after
 * 14 minutes.
 */
export async function* deliver(
  services: Services,
  device: DevicePrincipal,
  input: z.infer<typeof deviceConnectInput>,
  hungUp: AbortSignal,
  stillValid: () => Promise<boolean>,
): AsyncGenerator<DeviceEvent> {
  const { notifier, reserved: db } = services.database;
  const inbox = new Inbox();
  // Listening begins before the first read, so that nothing falls between the two.
  const unsubscribe = [
    notifier.subscribe("device_wake", device.deviceId, (event) => inbox.onWake(event)),
    notifier.subscribe("credential_revoked", device.deviceId, () => inbox.onRevoked()),
  ];
  let goodbye: "disconnected" | "unresponsive" | undefined = "disconnected";
  let stream: Stream | undefined;
  try {
    // After a stall of the database, a connection that was given up long ago would end the one that took its place.
    if (hungUp.aborted) return;
    const epoch = await connect(services, device, input);
    stream = {
      organizationId: device.organizationId,
      deviceId: device.deviceId,
      journalId: input.journalId,
      epoch,
    };
    const sent = new Unacknowledged();
    const endsAt = performance.now() + STREAM_MS * (1 - Math.random() / 10);
    let beat = 0;
    let nextBeat = performance.now();

    for await (const event of unsettled(services, stream))
      yield event.type === "command" ? sent.note(event) : event;

    const local = new LocalStream(stream, inbox, sent);
    unsubscribe.push(services.dispatch.open(local));
    let mayBeQueued = true;
    let claimAgainAt = Number.POSITIVE_INFINITY;
    while (!hungUp.aborted) {
      const now = performance.now();
      // The announcement is a hint; it may be of the key before this one, or be missed.
      if (inbox.takeDoubt() && !(await stillValid())) return void (yield { type: "revoked" });
      if (inbox.newestEpoch > epoch || inbox.isSuperseded) return;
      if (services.draining.aborted || now >= endsAt) {
        // It comes back at once; until then its lease stands.
        goodbye = undefined;
        return void (yield { type: "drain" });
      }
      if (now >= nextBeat) {
        yield { type: "beat", n: beat++, epoch };
        nextBeat = now + BEAT_MS;
      }
      for (const id of inbox.takeCanceled()) yield { type: "cancel", id };
      const settled = inbox.takeSettled();
      if (settled.length > 0) yield { type: "settled", ids: settled };
      const claimed = inbox.takeClaimed();
      const resync = inbox.takeResync();
      // The lease may have run out while the database was away; a round trip renews it. Spread, for many devices wait.
      if (resync) nextBeat = Math.min(nextBeat, now + Math.random() * RESYNC_SPREAD_MS);
      if (resync || claimed.length > 0)
        for await (const event of unsettled(services, stream, resync ? undefined : claimed))
          yield event.type === "command" ? sent.note(event) : event;

      // Before the claim, and to the last one: what is claimed then was submitted later.
      for (let command = local.shift(); command; command = local.shift()) yield sent.note(command);
      if (inbox.takeQueued() || mayBeQueued || now >= claimAgainAt) {
        const taken = await claim(services, stream);
        claimAgainAt = taken ? Number.POSITIVE_INFINITY : performance.now() + CLAIM_AGAIN_MS;
        for (const event of taken ?? []) yield event.type === "command" ? sent.note(event) : event;
        mayBeQueued = taken?.length === CLAIM_LIMIT;
        if (mayBeQueued) continue;
      }

      if (await sent.overdue((ids) => stillClaimed(services, stream as Stream, ids))) {
        goodbye = "unresponsive";
        return;
      }
      const due = Math.min(nextBeat, sent.nextCheck, claimAgainAt, endsAt) - performance.now();
      await inbox.wakeUp.wait(due, [hungUp, services.draining]);
    }
  } finally {
    for (const end of unsubscribe) end();
    if (stream && goodbye) await endPresence(db, stream, goodbye);
  }
}

/** What the notifier has told this stream since it last looked. */
class Inbox {
  readonly wakeUp = new WakeUp();
  newestEpoch = 0;
  /** At first, too: the key may have been revoked before the listening began. */
  #doubt = true;
  #claimed: string[] = [];
  #canceled: string[] = [];
  #settled: string[] = [];
  #resync = false;
  #queued = false;
  #superseded = false;

  onWake(event: NotifierEvent): void {
    if (event.kind === "resync") this.#queued = this.#resync = true;
    else {
      const [what, value = ""] = event.detail.split(" ");
      if (what === "") this.#queued = true;
      if (what === "claimed") this.#claimed.push(value);
      if (what === "cancel") this.#canceled.push(value);
      if (what === "settled") this.#settled.push(value);
      if (what === "epoch") this.newestEpoch = Math.max(this.newestEpoch, Number(value));
    }
    this.wakeUp.wake();
  }

  /** Something is queued for the device. */
  onQueued(): void {
    this.#queued = true;
    this.wakeUp.wake();
  }

  /** The database knows of another stream. */
  onSuperseded(): void {
    this.#superseded = true;
    this.wakeUp.wake();
  }

  get isSuperseded(): boolean {
    return this.#superseded;
  }

  /** Something may have been claimed that was never handed over: all that is open is sent again. */
  resync(): void {
    this.#resync = true;
    this.wakeUp.wake();
  }

  onRevoked(): void {
    this.#doubt = true;
    this.wakeUp.wake();
  }

  takeDoubt(): boolean {
    const doubt = this.#doubt;
    this.#doubt = false;
    return doubt;
  }

  /** What was claimed for this stream by another process. */
  takeClaimed(): string[] {
    return this.#claimed.splice(0);
  }

  takeCanceled(): string[] {
    return this.#canceled.splice(0);
  }

  takeSettled(): string[] {
    return this.#settled.splice(0);
  }

  takeQueued(): boolean {
    const queued = this.#queued;
    this.#queued = false;
    return queued;
  }

  takeResync(): boolean {
    const resync = this.#resync;
    this.#resync = false;
    return resync;
  }
}

/** The commands that were sent and not yet known to be begun. */
class Unacknowledged {
  #due = new Map<string, number>();
  /** When the next look at the table is due. */
  nextCheck = Number.POSITIVE_INFINITY;

  note(command: CommandEvent): CommandEvent {
    this.#due.set(command.id, performance.now() + ACKNOWLEDGE_MS);
    this.nextCheck = Math.min(this.nextCheck, performance.now() + ACKNOWLEDGE_MS);
    return command;
  }

  /** The device has begun it, or said how it ended. */
  onAcknowledged(id: string): void {
    this.#due.delete(id);
  }

  /**
   * Whether a command has been with the device for too long; asks the table once, when one may be: what was told to
   * another process is not known here.
   */
  async overdue(stillClaimed: (ids: string[]) => Promise<string[]>): Promise<boolean> {
    const now = performance.now();
    if (now < this.nextCheck) return false;
    const due = [...this.#due].filter(([, at]) => at <= now).map(([id]) => id);
    for (const id of due) this.#due.delete(id);
    // The rest is due within seconds; one look a second is enough for all of them.
    this.nextCheck = this.#due.size > 0 ? now + 1_000 : Number.POSITIVE_INFINITY;
    return due.length > 0 && (await stillClaimed(due)).length > 0;
  }
}
