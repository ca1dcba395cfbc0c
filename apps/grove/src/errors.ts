/** A failure that is told in its own words, without a stack: what is wrong, and what to do. */
export class UserError extends Error {}

/** Someone asked the launcher to stop (a signal): not a failure. */
export class Stopped extends Error {}
