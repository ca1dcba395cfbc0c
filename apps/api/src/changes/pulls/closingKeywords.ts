const MAX_NAMES = 20;

/**
 * Matches "Closes task fix-login". The word "task" is required, so that ordinary prose does not name a task by chance.
 */
const closing =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|complete[sd]?):?\s+task:?\s+[#`"]?([a-z0-9][a-z0-9-]{0,79})/gi;

/** The titles that code hosts and the usual commit conventions give to a revert. */
const revertTitle = /^\s*(?:revert\s*["“'«]|revert(?:\([^)]*\))?!?:)/i;

/** The sentence that code hosts and git write into the description of a revert. */
const revertSentence = /^\s*(?:this )?reverts (?:commit |merge request |pull request )?[\w./-]*[#!]?\w+/im;

/** HTML comments, quotations and code. */
const HTML = /<!--[\s\S]*?(?:-->|$)|<(blockquote|pre|code)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** A code span of several words, which quotes a sentence. A span of one word may be a task's name. */
const CODE_SPAN = /(?<!`)(`+)(?!`)([^`]*\s[^`]*?)(?<!`)\1(?!`)/g;

const LIST_MARKERS = String.raw`^(?:\s*(?:[-*+]|\d{1,9}[.)])\s+)*`;
const quotation = new RegExp(`${LIST_MARKERS} {0,3}>`);
const fence = new RegExp(`${LIST_MARKERS}\\s*(\`{3,}|~{3,})`);
const indented = /^(?: {4}| {0,3}\t)/;

/** Returns the lines of a Markdown text that its author wrote as prose: without quotations and blocks of code. */
function proseOf(text: string): string {
  const prose: string[] = [];
  let openFence: string | undefined;
  let before: "blank" | "quotation" | "code" | "prose" = "blank";
  for (const line of text.replace(HTML, " ").split(/\r\n?|\n/)) {
    const mark = fence.exec(line)?.[1];
    if (openFence !== undefined) {
      if (mark?.startsWith(openFence) && line.trim() === mark) openFence = undefined;
      before = "code";
    } else if (mark !== undefined) {
      openFence = mark;
    } else if (line.trim() === "") before = before === "code" ? "code" : "blank";
    // A paragraph that begins in a quotation belongs to it up to the next blank line.
    else if (quotation.test(line) || before === "quotation") before = "quotation";
    // An indented line within a paragraph continues the paragraph.
    else if (indented.test(line) && before !== "prose") before = "code";
    else {
      before = "prose";
      prose.push(line);
    }
  }
  return prose.join("\n").replace(CODE_SPAN, " ");
}

const isRevertOf = (title: string, prose: string) => revertTitle.test(title) || revertSentence.test(prose);

/** Whether a pull request reverts another. */
export const isRevert = ({ title, body }: { title: string; body: string }): boolean =>
  isRevertOf(title, proseOf(body));

/**
 * Returns the slugs and ids of the tasks that a pull request's text closes. A revert closes none, since its text
 * repeats that of the reverted pull request.
 */
export function closedTaskNames({ title, body }: { title: string; body: string }): string[] {
  const prose = proseOf(body);
  if (isRevertOf(title, prose)) return [];
  const names = [...`${title.replace(CODE_SPAN, " ")}\n${prose}`.matchAll(closing)].map(([, name = ""]) =>
    name.toLowerCase().replace(/-+$/, ""),
  );
  return [...new Set(names)].slice(0, MAX_NAMES);
}
