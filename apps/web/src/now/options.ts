/** "❯ 1. Yes": a line of a menu, and the mark that agents put before the chosen one. */
const OPTION = /^([❯›>●◉*→]\s*)?(\d)[.)]\s+(\S.*)$/;

export interface Option {
  /** The digit that chooses it. */
  key: string;
  words: string;
}

/**
 * The menu with which an agent asks, if it shows one: lines that count from 1, one of which is marked as chosen. A list
 * without a mark is text, such as a plan.
 */
export function optionsOf(asks: string): Option[] {
  const options: Option[] = [];
  let isMarked = false;
  for (const line of asks.split("\n")) {
    const [, mark, key = "", words = ""] = OPTION.exec(line.trim()) ?? [];
    // The last menu on the screen counts.
    if (key === "1") {
      options.length = 0;
      isMarked = false;
    }
    if (key !== `${options.length + 1}`) continue;
    options.push({ key, words });
    isMarked ||= mark !== undefined;
  }
  return isMarked && options.length > 1 ? options : [];
}
