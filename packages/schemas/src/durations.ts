export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How long a command keeps a result that shows people's files or screens. */
export const RESULT_KEPT_MS = 5 * MINUTE_MS;
