import { DAY_MS } from "@grove/schemas";

export interface PullPollTimes {
  /** How often a pull request is read if its checks are running, or if it has just changed. */
  checkingMs: number;
  /** How often an active pull request is read. */
  activeMs: number;
  /** How often any other open pull request is read, without its checks. */
  idleMs: number;
}

export const pullPollTimes: PullPollTimes = {
  checkingMs: 15_000,
  activeMs: 2 * 60_000,
  // A read takes two calls at GitLab, so 100 pull requests take 267 an hour.
  idleMs: 45 * 60_000,
};

/** How long a pull request is active after its last change. */
export const ACTIVE_MS = DAY_MS;

/** How long new checks may still start after a push. */
export const JUST_CHANGED_MS = 10 * 60_000;
