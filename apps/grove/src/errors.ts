/** A failure whose message is for the user: what is wrong, and what to do. It is printed without a stack. */
export class UserError extends Error {}

/** A signal stopped the launcher. This is not a failure. */
export class Stopped extends Error {}
