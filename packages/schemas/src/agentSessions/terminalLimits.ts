// In their own file, so that the console can import them without zod.

/** The most characters that one call types into a terminal. */
export const MAX_TERMINAL_INPUT = 10_000;
/** The most sessions in one agent.sessionOutputs. Their ids must fit into the 8 KiB that proxies allow a URL. */
export const MAX_OUTPUTS = 64;
