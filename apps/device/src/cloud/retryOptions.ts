import { isTransient } from "./deviceApi";

/** How a command retries a call while the API cannot be reached: for two minutes. */
export const apiRetryOptions = { forMs: 120_000, baseMs: 250, maxMs: 5_000, retryable: isTransient };
