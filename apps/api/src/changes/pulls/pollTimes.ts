export interface PullPollTimes {
  /** How often a pull request is read that has changed within the last day. */
  activeMs: number;
  /** How often any other open one is read. */
  idleMs: number;
}
