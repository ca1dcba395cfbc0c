/**
 * A page of a list ends before its limit if its items are large, but never before it has this many. So a page that is
 * shorter than both its limit and this is the last one.
 */
export const MIN_PAGE = 16;

/** The maximum number of calls in one batch. A client sends more in several batches. */
export const MAX_BATCHED_CALLS = 100;

/** The maximum wait of one call. Proxies often cut off requests after 60 s. */
export const MAX_CALL_WAIT_MS = 55_000;

/** The API asks a connected device for a heartbeat this often. */
const HEARTBEAT_MS = 15_000;
/** After this many missed heartbeats in a row, the API and the device both close their stream. */
const MISSED_HEARTBEATS = 3;

/**
 * The times that the API agrees on with device agents and with the clients of its streams, in milliseconds. They depend
 * on each other; `protocol.test.ts` states how.
 */
export const protocol = {
  heartbeatMs: HEARTBEAT_MS,
  missedHeartbeats: MISSED_HEARTBEATS,
  /** An API process with very many devices sends each a heartbeat this often, and states this time in it (`nextMs`). */
  slowestHeartbeatMs: 60_000,
  /** A heartbeat with a response keeps a device online this long, unless the lease of an instance does. */
  leaseMs: MISSED_HEARTBEATS * HEARTBEAT_MS,
  /**
   * A device closes a stream that was silent this long, even if TCP still reports it as open. From its first heartbeat
   * on, the limit is `missedHeartbeats` times the heartbeat's `nextMs`.
   */
  silenceMs: MISSED_HEARTBEATS * HEARTBEAT_MS,
  /** A stream whose first event, a heartbeat, has not arrived within this was never open. */
  openingMs: 10_000,
  /** A device must begin or end a command within this time after it was sent. Otherwise the stream counts as dead. */
  acknowledgeMs: 5_000,
  /** A device reports the start of work that takes longer than this. */
  reportStartAfterMs: 100,
  /** A device's stream ends after this, and the device connects again. */
  deviceStreamMs: 14 * 60_000,
  /** Every other subscription ends after this; the client resumes it. */
  streamMs: 15 * 60_000,
  /** A quiet subscription is sent a ping this often. */
  pingMs: 20_000,
  /** A client reconnects a subscription that was silent this long. */
  clientSilenceMs: 45_000,
};

/** How long the API waits for a device that checks the commit of an answer to a review comment. */
export const FIND_COMMIT_WAIT_MS = 30_000;

/** How many times a command is sent to an online device before the command fails as `not_started`. */
export const MAX_SENDS = 3;
