/** No usage limit is longer. A later end is an error of the program that reports it. */
const LONGEST_MS = 32 * 24 * 60 * 60_000;

/**
 * Checks the end of a usage limit that an agent has reported.
 * @param at in milliseconds since 1970
 * @returns undefined for a time that cannot be the end of a limit: it is not in the future, or too far away
 */
export function validLimitEnd(at: number | undefined, now = Date.now()): number | undefined {
  return at !== undefined && at > now && at <= now + LONGEST_MS ? Math.round(at) : undefined;
}

/** Reads the end of a limit from Claude Code's error: "Claude AI usage limit reached|1764165780", in seconds. */
export function parseClaudeLimitEnd(details: string | undefined): number | undefined {
  const [, seconds] = /usage limit reached\|(\d{10})\b/.exec(details ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
