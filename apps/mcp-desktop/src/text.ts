/** The first lines that fit into `most` characters. */
export function firstLines(lines: readonly string[], most: number): string[] {
  const kept: string[] = [];
  let room = most;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return kept;
}

/** The first characters of a text. The mark shows that it was cut, also to the code that removes secrets. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** An address without the user and password in it. */
export const withoutLogin = (url: string): string =>
  url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/i, "$1");
