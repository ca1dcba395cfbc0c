import { DAY_MS } from "@grove/schemas";

export interface PullPollTimes {
  /** How often a pull request is read whose checks run, or that has just changed. */
  checkingMs: number;
  /** How often a pull request is read that is active. */
  activeMs: number;
  /** How often any other open one is read, without its checks. */
  idleMs: number;
}

export const pullPollTimes: PullPollTimes = {
  checkingMs: 15_000,
  activeMs: 2 * 60_000,
  idleMs: 30 * 60_000,
};

/** How long after its last change a pull request is active. */
export const ACTIVE_MS = DAY_MS;

/** How long after a push new checks may still start. */
export const JUST_CHANGED_MS = 10 * 60_000;
