import type { Rule } from "../repository";

const MAX_COLUMNS = 120;

/** Text of documents is wrapped at 120 columns, except for tables, code, HTML and words that are longer. */
export const noWideDocument: Rule = ({ documents }) =>
  documents.flatMap(({ path, text }) =>
    text
      .replace(/^ *```[\s\S]*?^ *```/gm, (block) => block.replace(/.+/g, ""))
      .split("\n")
      .flatMap((line, index) =>
        isTooWide(line) ? [`${path}:${index + 1}: a line is wider than ${MAX_COLUMNS} columns`] : [],
      ),
  );

const isTooWide = (line: string) =>
  line.length > MAX_COLUMNS && !/^\s*[|<]/.test(line) && !/^\s*(?:[-*] +|\d+\. +)?\S+$/.test(line);
