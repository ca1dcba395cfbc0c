/**
 * The most times that failed checks of a change can be sent to its agent. The migration `0005_projects` checks the same
 * limit in `max_rounds`.
 */
export const MAX_CHECK_ROUNDS = 5;
