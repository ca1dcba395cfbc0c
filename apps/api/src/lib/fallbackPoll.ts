/** The fallback poll: a wait for an announcement reads this often without one, in case it was lost. */
export const FALLBACK_POLL_MS = 20_000;
