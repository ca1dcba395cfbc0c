/** The interval for lists of commands, which are not on the live stream. */
export const COMMANDS_POLL_MS = 5_000;
/** The interval while the user waits for a machine to connect. The pairing page has no live stream. */
export const PAIRING_POLL_MS = 2_000;
