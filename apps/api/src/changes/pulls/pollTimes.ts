export interface PullPollTimes {
  /** How often a pull request is read that has changed within the last day. */
  activeMs: number;
  /** How often any other open one is read. */
  idleMs: number;
}

export const pullPollTimes: PullPollTimes = { activeMs: 2 * 60_000, idleMs: 30 * 60_000 };
