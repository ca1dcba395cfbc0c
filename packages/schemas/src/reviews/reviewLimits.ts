/** The most anchors that one call resolves. */
export const MAX_ANCHORS = 200;
/** The most characters of a comment. */
export const MAX_COMMENT = 10_000;
/** The most characters of an answer to a comment. */
export const MAX_ANSWER = 2_000;
/** The most comments of a change. */
export const MAX_COMMENTS = 500;
/** The most comments of a round. */
export const MAX_ROUND_COMMENTS = 100;
/** The most failed checks of a round. */
export const MAX_ROUND_FAILURES = 5;
