export interface TaskItem {
  isDone: boolean;
  /** The rest of the item's first line. */
  title: string;
  /** The source with this item ticked or unticked. */
  toggled: string;
}

/** The marker of a list item, and its check box. */
const checkBox = /^(?:[-*+]|\d{1,9}[.)])\s+\[([ \txX])\](?=\s)/;

/** Reads the check list item (`- [ ] title`) at an offset of the Markdown source. Undefined if there is none. */
export function taskItemAt(source: string, offset: number): TaskItem | undefined {
  const rest = source.slice(offset);
  const match = checkBox.exec(rest);
  if (match?.[1] === undefined) return undefined;
  const isDone = match[1].toLowerCase() === "x";
  const end = match[0].length;
  return {
    isDone,
    title:
      rest
        .slice(end)
        .trimStart()
        .split(/\r?\n|\r/, 1)[0]
        ?.trim() ?? "",
    toggled: `${source.slice(0, offset + end - 2)}${isDone ? " " : "x"}${rest.slice(end - 1)}`,
  };
}
