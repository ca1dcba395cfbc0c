import type { DevicePrincipal } from "@grove/auth";
import { type DeviceConnectInput, type DeviceEvent, protocol } from "@grove/schemas";
import { record } from "@grove/tracing";
import pLimit from "p-limit";
import { endWhenDraining } from "../../lib/draining";
import type { Services } from "../../services";
import { connect } from "./connect";
import { type CommandEvent, Inbox, type Stream, toEvent } from "./inbox";
import { CLAIM_LIMIT, claim, stillClaimed, unsettled } from "./openRows";
import { endPresence } from "./presence";

/** After an outage, all devices are asked for a beat within this time. */
const RESYNC_SPREAD_MS = 2_000;
/** How many devices connect at a time: after an outage all come back together, and each needs statements. */
const connecting = pLimit(64);
/** When rows are locked, the queue is read again after this time. */
const CLAIM_AGAIN_MS = 1_000;

/**
 * Streams a device its commands: claims them as they come, and sends each at least once. The rows say which are open.
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
  const { metrics } = services;
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
    await notifier.settled();
    // The device may have disconnected while the database stalled. Its old connection must not replace its newer one.
    const epoch = await connecting(() => {
      if (clientGone.aborted) return undefined;
      endWhenDraining({ draining: services.stopping });
      return connect(services, device, input);
    });
    if (epoch === undefined) return;
    const opened: Stream = {
      organizationId: device.organizationId,
      deviceId: device.deviceId,
      journalId: input.journalId,
      epoch,
    };
    stream = opened;
    const sent = new Unacknowledged();
    let endsAt = performance.now() + protocol.deviceStreamMs * (1 - Math.random() / 10);
    let isLeaving = false;
    let beat = 0;
    let nextBeat = performance.now();

    for await (const event of unsettled(services, opened))
      yield event.type === "command" ? sent.note(event) : event;

    const onAcknowledged = (id: string) => sent.onAcknowledged(id);
    unsubscribe.push(
      services.dispatch.streams.open({ stream: opened, inbox, since: performance.now(), onAcknowledged }),
    );
    let mayBeQueued = true;
    let claimAgainAt = Number.POSITIVE_INFINITY;
    while (!clientGone.aborted) {
      const now = performance.now();
      // The announcement is a hint: it may concern the previous key, or be missed.
      if (inbox.takeRevalidation() && !(await stillValid())) return void (yield { type: "revoked" });
      if (inbox.newestEpoch > epoch || inbox.isSuperseded) return;
      if (services.stopping.aborted && !isLeaving) {
        isLeaving = true;
        endsAt = Math.min(endsAt, now + Math.random() * (services.config.drainMs ?? 0));
      }
      if (services.draining.aborted || now >= endsAt) {
        // The device comes back immediately; until then its lease stands.
        goodbye = undefined;
        return void (yield { type: "drain" });
      }
      if (now >= nextBeat) {
        yield { type: "beat", n: beat++, epoch };
        nextBeat = now + protocol.beatMs;
      }
      for (const id of inbox.takeCanceled()) yield { type: "cancel", id };
      for (const sessionId of inbox.takeWatched()) yield { type: "watch", sessionId };
      const settled = inbox.takeSettled();
      if (settled.length > 0) yield { type: "settled", ids: settled };
      const claimed = inbox.takeClaimed();
      const resync = inbox.takeResync();
      // The lease may have run out while the database was away; a round trip renews it. Spread out, as many devices
      // wait.
      if (resync) nextBeat = Math.min(nextBeat, now + Math.random() * RESYNC_SPREAD_MS);
      const unread: string[] = [];
      for (const { id, epoch: claimedFor, at = 0, row } of claimed) {
        if (row && claimedFor === epoch) {
          metrics?.woken("announcement", Math.max(0, Date.now() / 1_000 - at));
          yield sent.note(toEvent(row));
        } else unread.push(id);
      }
      if (resync || unread.length > 0)
        for await (const event of unsettled(services, opened, resync ? undefined : unread))
          yield event.type === "command" ? sent.note(event) : event;

      // Before the claim, and until none is left: commands that are claimed now were submitted later.
      for (let pushed = inbox.takeCommand(); pushed; pushed = inbox.takeCommand()) {
        metrics?.woken("process", (performance.now() - pushed.at) / 1_000);
        yield sent.note(pushed.command);
      }
      const queued = inbox.takeQueued();
      if (queued || mayBeQueued || now >= claimAgainAt) {
        const taken = await claim(services, opened);
        // Nothing else would have looked.
        const isFound = queued === "found" && !mayBeQueued && claimAgainAt === Number.POSITIVE_INFINITY;
        if (isFound && taken?.length) metrics?.found("queued");
        claimAgainAt = taken ? Number.POSITIVE_INFINITY : performance.now() + CLAIM_AGAIN_MS;
        for (const event of taken ?? []) yield event.type === "command" ? sent.note(event) : event;
        mayBeQueued = taken?.length === CLAIM_LIMIT;
        if (mayBeQueued) continue;
      }

      if (await sent.overdue((ids) => stillClaimed(services, opened, ids))) {
        goodbye = "unresponsive";
        return;
      }
      const due = Math.min(nextBeat, sent.nextCheck, claimAgainAt, endsAt) - performance.now();
      // Once it has been heeded, the signal would end every wait.
      const end = isLeaving ? services.draining : services.stopping;
      await inbox.wakeUp.wait(due, [clientGone, end]);
    }
  } finally {
    for (const end of unsubscribe) end();
    if (stream && goodbye) await endPresence(db, stream, goodbye);
  }
}

/** The commands that were sent to a device and, as far as this process knows, not begun. */
class Unacknowledged {
  #due = new Map<string, number>();
  /** When the table must be read next. */
  nextCheck = Number.POSITIVE_INFINITY;

  note(command: CommandEvent): CommandEvent {
    const options = {
      parent: command.traceParent,
      kind: "producer",
      attributes: { "grove.command": command.id },
    } as const;
    if (command.traceParent !== undefined) record("command queue", options, timeOf(command.id));
    this.#due.set(command.id, performance.now() + protocol.acknowledgeMs);
    this.nextCheck = Math.min(this.nextCheck, performance.now() + protocol.acknowledgeMs);
    return command;
  }

  /** The device has begun or ended the command. */
  onAcknowledged(id: string): void {
    this.#due.delete(id);
  }

  /**
   * Whether the device has had a command for too long without beginning it. The table is read first, because the device
   * may have reported to another process.
   */
  async overdue(stillClaimed: (ids: string[]) => Promise<string[]>): Promise<boolean> {
    const now = performance.now();
    if (now < this.nextCheck) return false;
    const due = [...this.#due].filter(([, at]) => at <= now).map(([id]) => id);
    for (const id of due) this.#due.delete(id);
    // The others are due within seconds. One read a second is enough for all of them.
    this.nextCheck = this.#due.size > 0 ? now + 1_000 : Number.POSITIVE_INFINITY;
    return due.length > 0 && (await stillClaimed(due)).length > 0;
  }
}

/** When an id of version 7 was made, in milliseconds since 1970. */
const timeOf = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
