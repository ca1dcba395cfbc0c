/** The most times that failed checks of a change can be sent to its agent. */
export const MAX_CHECK_ROUNDS = 5;
