import type { DevicePrincipal } from "@grove/auth";
import { type DeviceConnectInput, type DeviceEvent, protocol } from "@grove/schemas";
import pLimit from "p-limit";
import { endWhenDraining } from "../../lib/draining";
import type { Services } from "../../services";
import { connect } from "./connect";
import { Inbox, type Stream } from "./inbox";
import { CLAIM_LIMIT, claim, stillClaimed, unsettled } from "./openRows";
import { beatMsOf, LocalStream } from "./streams";

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
  const { metrics, lease } = services;
  const { streams, presence } = services.dispatch;
  const { notifier } = services.database;
  const inbox = new Inbox();
  // Listening begins before the first read, so that nothing falls between the two.
  const unsubscribe = [
    notifier.subscribe("device_wake", device.deviceId, (event) => inbox.onWake(event)),
    notifier.subscribe("credential_revoked", device.deviceId, () => inbox.onRevoked()),
  ];
  let goodbye: "disconnected" | "unresponsive" | undefined = "disconnected";
  let local: LocalStream | undefined;
  try {
    // The device may have disconnected while the database stalled. Its old connection must not replace its newer one.
    const connected = await connecting(() => {
      if (clientGone.aborted) return undefined;
      endWhenDraining({ draining: services.stopping });
      return connect(services, device, input);
    });
    if (connected === undefined) return;
    const { epoch, leaseId } = connected;
    const { organizationId, deviceId, keyHash } = device;
    const opened: Stream = { organizationId, deviceId, journalId: input.journalId, epoch };
    const own = new LocalStream({ stream: opened, inbox, keyHash, leaseId });
    const { sent } = own;
    local = own;
    presence.disconnects.back(deviceId);
    let askedUnder = leaseId;
    let endsAt = performance.now() + protocol.deviceStreamMs * (1 - Math.random() / 10);
    let isLeaving = false;
    let beat = 0;
    let nextBeat = performance.now();

    for await (const event of unsettled(services, opened))
      yield event.type === "command" ? sent.note(event) : event;

    unsubscribe.push(streams.open(own));
    let mayBeQueued = true;
    let claimAgainAt = Number.POSITIVE_INFINITY;
    while (!clientGone.aborted) {
      const now = performance.now();
      // The announcement is a hint: it may concern the previous key, or be missed.
      if (inbox.takeRevalidation()) {
        own.provenAt = Number.NEGATIVE_INFINITY;
        if (!(await stillValid())) return void (yield { type: "revoked" });
        own.provenAt = now;
      }
      if (inbox.newestEpoch > epoch || inbox.isSuperseded) return;
      if (services.stopping.aborted && !isLeaving) {
        isLeaving = true;
        endsAt = Math.min(endsAt, now + Math.random() * (services.config.drainMs ?? 0));
      }
      if (services.draining.aborted || now >= endsAt) {
        // The device comes back immediately; until then it counts as online.
        goodbye = undefined;
        return void (yield { type: "drain" });
      }
      const beatMs = beatMsOf(streams.count, input.obeysNextMs);
      if (askedUnder !== lease.id) {
        // This process was paused, and others saw the device offline: an answer proves its stream again.
        askedUnder = lease.id;
        own.answered();
        nextBeat = Math.min(nextBeat, now + spreadOver(streams.count));
      }
      const silentAt = own.answeredAt + MISSED_BEATS * beatMs;
      if (now >= silentAt && lease.holds) {
        goodbye = "unresponsive";
        return;
      }
      if (now >= nextBeat) {
        yield { type: "beat", n: beat++, epoch, nextMs: beatMs };
        nextBeat = withOthers(now + beatMs);
      }
      for (const id of inbox.takeCanceled()) yield { type: "cancel", id };
      for (const sessionId of inbox.takeWatched()) yield { type: "watch", sessionId };
      const settled = inbox.takeSettled();
      if (settled.length > 0) yield { type: "settled", ids: settled };
      const claimed = inbox.takeClaimed();
      const resync = inbox.takeResync();
      // The database was away, and may have lost its newest rows: the answer to the next beat is written again. Spread
      // out, as many devices wait.
      if (resync) own.isPresent = false;
      if (resync) nextBeat = Math.min(nextBeat, now + spreadOver(streams.count));
      if (resync || claimed.length > 0)
        for await (const event of unsettled(services, opened, resync ? undefined : claimed))
          yield event.type === "command" ? sent.note(event) : event;

      // Before the claim, and until none is left: commands that are claimed now were submitted later.
      for (let pushed = inbox.takeCommand(); pushed; pushed = inbox.takeCommand()) {
        metrics?.woken("process", (performance.now() - pushed.at) / 1_000);
        yield sent.note(pushed.command);
      }
      const wantsToClaim = inbox.isQueued || mayBeQueued || now >= claimAgainAt;
      // While others may have seen this process dead, its streams may be dead, too.
      if (wantsToClaim && !(own.leaseId === lease.id && lease.holds)) claimAgainAt = now + CLAIM_AGAIN_MS;
      else if (wantsToClaim) {
        const queued = inbox.takeQueued();
        const isNew = queued === "announced" && !resync && !mayBeQueued && now < claimAgainAt;
        const taken = await claim(services, opened, isNew);
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
      const isSilentAt = silentAt > now ? silentAt : Number.POSITIVE_INFINITY;
      const due = Math.min(nextBeat, sent.nextCheck, claimAgainAt, endsAt, isSilentAt) - performance.now();
      // Once it has been heeded, the signal would end every wait.
      const end = isLeaving ? services.draining : services.stopping;
      await inbox.wakeUp.wait(due, [clientGone, end]);
    }
  } finally {
    for (const end of unsubscribe) end();
    if (local && goodbye)
      await presence.disconnects.say(
        local.stream,
        goodbye,
        goodbye === "unresponsive" ? local.answeredAt : performance.now(),
      );
    else if (local) presence.disconnects.away(local.stream);
  }
}

/**
 * The next moment at which streams are asked for their beats. Many are then answered together: an answer that comes
 * alone takes 0.64 ms of the processor, and one among others 0.26 (`pnpm bench scale`).
 */
const withOthers = (time: number) => Math.ceil(time / TOGETHER_MS) * TOGETHER_MS;

/** A stream's own moment, when this process asks so many for a beat. */
const spreadOver = (streams: number) => Math.random() * Math.min(RESYNC_SPREAD_MS, streams);
