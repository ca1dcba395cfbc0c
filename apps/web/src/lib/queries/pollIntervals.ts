/** For a command that the page follows until it has ended. */
export const COMMAND_POLL_MS = 1_000;
/** For lists of commands, which are not on the live stream. */
export const COMMANDS_POLL_MS = 5_000;
/** For notifications and their delivery, which are not on the live stream. */
export const DELIVERIES_POLL_MS = 5_000;
/** For the devices, while the user waits for one to connect. The pairing page has no live stream. */
export const PAIRING_POLL_MS = 2_000;
/** For whether a device is online, while typed text waits for it. The live stream misses a short outage. */
export const PRESENCE_POLL_MS = 5_000;
/** For the changes and the details of the workspace on the page, which its device computes. */
export const WORKSPACE_POLL_MS = 15_000;
/** For the list of workspaces, which every device that is online computes. */
export const WORKSPACES_POLL_MS = 30_000;
/** For all that the page shows, while the live stream is broken. */
export const FALLBACK_POLL_MS = 10_000;
