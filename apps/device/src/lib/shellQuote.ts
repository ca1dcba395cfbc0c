/** Quotes the words of a command for a POSIX shell. */
export const shellQuote = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
