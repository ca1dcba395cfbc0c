/** A menu line such as "❯ 1. Yes", with the marker that agents put before the selected option. */
const OPTION = /^([❯›>●◉*→]\s*)?(\d)[.)]\s+(\S.*)$/;

export interface Option {
  /** The digit that selects it. */
  key: string;
  label: string;
}

/**
 * Parses the menu on an agent's screen: lines numbered from 1, one of which is marked as selected. A list without a
 * marker is text, such as a plan.
 */
export function parseMenu(questionText: string): Option[] {
  const options: Option[] = [];
  let isMarked = false;
  for (const line of questionText.split("\n")) {
    const [, mark, key = "", label = ""] = OPTION.exec(line.trim()) ?? [];
    // The last menu on the screen counts.
    if (key === "1") {
      options.length = 0;
      isMarked = false;
    }
    if (key !== `${options.length + 1}`) continue;
    options.push({ key, label });
    isMarked ||= mark !== undefined;
  }
  return isMarked && options.length > 1 ? options : [];
}
