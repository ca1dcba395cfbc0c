/**
 * The times that the API agrees on with device agents and with the clients of its streams, in milliseconds. They depend
 * on each other; `protocol.test.ts` states how.
 */
export const protocol = {
  /** The API asks a connected device for a beat this often. */
  beatMs: 15_000,
  /** An API process with very many devices asks each this often, and sends this time with each beat (`nextMs`). */
  slowestBeatMs: 60_000,
  /** An answered beat keeps a device online this long where no lease of an instance does. */
  leaseMs: 45_000,
  /**
   * A device gives up a stream that was silent this long, even if TCP still reports it as open. After a beat with
   * `nextMs`, the limit is three times that.
   */
  silenceMs: 45_000,
  /** A stream whose first event, a beat, has not arrived within this was never open. */
  openingMs: 10_000,
  /** A command that was sent must be begun or answered within this. Otherwise the stream is dead. */
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

/** How often a device that is online is sent a command before the command fails as `not_started`. */
export const MAX_SENDS = 3;
