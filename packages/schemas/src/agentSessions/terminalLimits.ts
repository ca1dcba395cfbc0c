// Limits of calls about terminals, in their own file, so that the console can import them without zod. Limits of the
// console's own terminal, such as the length of its title, are in apps/web/src/terminal.

/** The most characters that one call types into a terminal. */
export const MAX_TERMINAL_INPUT = 10_000;
/** The most sessions in one agent.sessionOutputs. Their ids must fit into the 8 KiB that proxies allow a URL. */
export const MAX_OUTPUTS = 64;
