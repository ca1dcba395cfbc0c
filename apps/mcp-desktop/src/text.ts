/** The first lines that fit into so many characters. */
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

/** The first characters of a text; the mark says that there was more, also to what takes secrets out. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;
