// In its own file, so that the console can import it without zod.

/** The most workspaces that one command creates, renames or deletes. */
export const MAX_WORKSPACES_PER_COMMAND = 5;

/** The number of ports of each workspace, from `portBase` on. */
export const PORTS_PER_WORKSPACE = 10;
