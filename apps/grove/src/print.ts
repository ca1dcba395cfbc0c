import { visibleLines } from "@grove/schemas";

/** Prints text for a person, with marks of hidden characters, since others chose the names in it. Not for JSON. */
export const print = (text: string): void => void process.stdout.write(visibleLines(text));

/** Prints a line of progress. It goes to stderr, since stdout is for the result. */
export const say = (text: string): void => void process.stderr.write(`${visibleLines(text)}\n`);
