import { setTimeout as sleep } from "node:timers/promises";
import { type DeviceEvent, protocol } from "@grove/schemas";
import { type Backoff, backoffMs } from "@grove/signals/backoff";
import { version } from "../../package.json";
import { codeOf, type DeviceApi, reasonOf } from "../cloud/deviceApi";
import type { Log } from "../log";
import type { Executor } from "./executor";
import type { Journal } from "./journal";
import type { Outbox } from "./outbox";

const defaultTimings = {
  /** How long to wait for a stream's first event. */
  openingMs: protocol.openingMs,
  /** The pause between attempts. */
  backoff: { baseMs: 500, maxMs: 30_000 } as Backoff,
};
/** Two machines that share a key end each other's streams, so a shorter stream does not count as connected. */
const STABLE_MS = 10_000;
/** A key counts as revoked once the API has refused it this many times in a row: a single refusal may be an error. */
const REFUSALS = 5;

export interface ConnectionDeps {
  cloud: DeviceApi;
  journal: Pick<Journal, "id" | "epoch" | "newestBegun" | "enterStream">;
  executor: Executor;
  outbox: Outbox;
  log: Log;
  /** Reports whether the device is reachable now: a heartbeat was answered, or the stream has ended. */
  onConnected(connected: boolean): void;
  /** Called when a session has a first viewer. */
  onWatched(sessionId: string): void;
  timings?: Partial<typeof defaultTimings>;
}

/** How one stream ended. */
interface StreamEnd {
  why: "ended" | "silent" | "drain" | "revoked" | "stopped";
  /** Whether any event arrived. */
  alive: boolean;
  error?: unknown;
}

/**
 * Keeps the device connected: reconnects the stream whenever it ends, forever, with backoff and jitter.
 * @returns `stopped` when the signal is aborted, `revoked` when the API no longer accepts the device's key
 */
export async function stayConnected(
  deps: ConnectionDeps,
  signal: AbortSignal,
): Promise<"stopped" | "revoked"> {
  const { log } = deps;
  const { backoff } = { ...defaultTimings, ...deps.timings };
  let failures = 0;
  let refusals = 0;
  while (!signal.aborted) {
    const began = performance.now();
    const { why, alive, error } = await stream(deps, signal);
    if (why === "revoked") return "revoked";
    if (why === "stopped") break;
    if (reasonOf(error) === "outdated_agent") log.error({ err: error }, "the API refuses this agent");
    else if (alive || failures === 0)
      log.info({ why, err: error }, "not connected; trying again until it works");
    failures = alive && performance.now() - began > STABLE_MS ? 0 : failures + 1;
    refusals = codeOf(error) === "UNAUTHORIZED" ? refusals + 1 : 0;
    if (refusals === REFUSALS) return "revoked";
    // An instance that is shutting down sends `drain`. Another one is ready, or this one will be back in a moment.
    if (why === "drain" && failures <= 1) continue;
    await sleep(backoffMs(failures + 1, backoff), undefined, { signal }).catch(() => {});
  }
  return "stopped";
}

function stream(deps: ConnectionDeps, signal: AbortSignal): Promise<StreamEnd> {
  const { openingMs } = { ...defaultTimings, ...deps.timings };
  return new Promise((resolve) => {
    let alive = false;
    let why: StreamEnd["why"] = "ended";
    const end = (error?: unknown) => {
      clearTimeout(silence);
      signal.removeEventListener("abort", onAbort);
      close();
      deps.onConnected(false);
      resolve({ why, alive, error });
    };
    const endFor = (reason: StreamEnd["why"]) => {
      why = reason;
      end();
    };
    const silentAfter = (ms: number) => setTimeout(() => endFor("silent"), ms);
    let silence = silentAfter(openingMs);
    let maxSilenceMs = protocol.silenceMs;
    const onAbort = () => endFor("stopped");
    const onEvent = (event: DeviceEvent) => {
      alive = true;
      if (event.type === "beat") maxSilenceMs = protocol.missedHeartbeats * event.nextMs;
      clearTimeout(silence);
      silence = silentAfter(maxSilenceMs);
      if (event.type === "drain" || event.type === "revoked") endFor(event.type);
      else handle(deps, event);
    };
    const input = {
      journalId: deps.journal.id,
      epoch: deps.journal.epoch,
      newestBegun: deps.journal.newestBegun,
      agentVersion: version,
      capabilities: deps.executor.capabilities,
    };
    const close = deps.cloud.connect(input, { onEvent, onEnd: end });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

function handle(deps: ConnectionDeps, event: DeviceEvent): void {
  const { executor } = deps;
  switch (event.type) {
    case "command":
      executor.deliver(event);
      break;
    case "cancel":
      executor.cancel(event.id);
      break;
    case "settled":
      executor.settled(event.ids);
      break;
    case "watch":
      deps.onWatched(event.sessionId);
      break;
    case "beat":
      void answer(deps, event);
  }
}

/** Answers a heartbeat, which keeps the device online. The reply lists commands that were canceled or given up. */
async function answer(
  deps: ConnectionDeps,
  heartbeat: Extract<DeviceEvent, { type: "beat" }>,
): Promise<void> {
  const { cloud, executor, journal, log, onConnected } = deps;
  const { n, epoch } = heartbeat;
  try {
    // First, so that the journal has every stream that the API knows.
    await journal.enterStream(epoch);
    const { running, waiting } = executor.open;
    const { canceled, lost } = await cloud.heartbeat({
      epoch,
      beat: n,
      running: running.slice(0, 1_000),
      waiting: waiting.slice(0, 1_000),
    });
    onConnected(true);
    for (const id of canceled) executor.cancel(id);
    executor.giveUp(lost);
  } catch (error) {
    log.warn({ err: error }, "a heartbeat could not be answered");
  }
}
