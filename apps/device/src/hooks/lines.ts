/** How often the device agent writes an empty line as a sign of life. A helper disconnects after 1 s of silence. */
export const SIGN_OF_LIFE_MS = 400;

/** The last lines of a helper that has waited for an answer. */
export const PRINTED_LINE = "printed\n";
/** The device agent was silent, so the agent's own prompt decides. */
export const GAVE_UP_LINE = "gave up\n";
