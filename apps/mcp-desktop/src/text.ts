/** The first lines that fit into `limit` characters. */
export function firstLines(lines: readonly string[], limit: number): string[] {
  const keptLines: string[] = [];
  let remaining = limit;
  for (const line of lines) {
    remaining -= line.length + 1;
    if (remaining < 0) break;
    keptLines.push(line);
  }
  return keptLines;
}

/** The first characters of a text. The mark shows readers, and the code that removes secrets, that the text was cut. */
export const cutMarked = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit)}…`;

/** An address without the user and password in it. */
export const withoutLogin = (url: string): string =>
  url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/i, "$1");

/** Returns a number with its noun: "1 file", "2 files". */
export const pluralize = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
