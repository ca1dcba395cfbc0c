/**
 * The most times that failures of a change's checks or gate can be sent to its agent. The migration `0005_projects`
 * checks the same limit in `max_rounds`.
 */
export const MAX_FAILURE_ROUNDS = 5;
