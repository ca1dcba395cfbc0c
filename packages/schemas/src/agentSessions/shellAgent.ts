/** The built-in agent that is a plain terminal: the shell of the device's user. */
export const SHELL_AGENT = "shell";
