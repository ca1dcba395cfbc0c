/** "❯ 1. Yes": a line of a menu, and the mark that agents put before the chosen one. */
const NUMBERED = /^(?<indent>\s*)(?<mark>[❯›>●◉*→]\s*)?(?<digit>\d{1,2})[.)]\s+\S/;
/** "❯ Yes": the chosen line of a menu without numbers. */
const MARKED = /^(?<before>\s*[❯›●◉→]\s+)\S/;
/** Lines and corners of a frame around a menu. */
const SIDES = /^\s*[│┃║|]|[│┃║|]\s*$/g;
/** A menu may have a hint of some lines below it. */
const HINT_LINES = 6;
/** A line at which text is typed: after it, a menu further up has been answered. */
const PROMPT = /(^\s*[>❯›]\s*$)|[>❯$#%:?»›]\s*$/;
const YES_OR_NO = /[[(]\s*y(es)?\s*[/|]\s*n(o)?\s*(\/[^\])]{1,20})?[\])]\s*[:?>]?\s*\S{0,3}$/i;

export type Choice = "menu" | "yes_or_no";

/**
 * The choice at which a program waits, read from the lines on its screen: one key answers it, so free text would choose
 * by accident. Undefined at a prompt for text.
 */
export function choiceOn(screen: readonly string[]): Choice | undefined {
  const lines = screen.map((line) => line.replaceAll(SIDES, " ").trimEnd());
  if (YES_OR_NO.test(lines.findLast((line) => line !== "") ?? "")) return "yes_or_no";
  const last = Math.max(lastNumbered(lines), lastMarked(lines));
  if (last < 0) return undefined;
  const below = lines.slice(last + 1).filter((line) => line !== "");
  return below.length <= HINT_LINES && !below.some((line) => PROMPT.test(line)) ? "menu" : undefined;
}

/** The index of the last option of a menu that counts from 1 and has a mark; -1 if there is none. */
function lastNumbered(lines: readonly string[]): number {
  let next = 1;
  let isMarked = false;
  let last = -1;
  for (const [at, line] of lines.entries()) {
    const { digit, mark } = NUMBERED.exec(line)?.groups ?? {};
    if (digit === undefined) continue;
    if (digit === "1") {
      next = 1;
      isMarked = false;
    }
    if (Number(digit) !== next) continue;
    next++;
    isMarked ||= mark !== undefined;
    if (isMarked && next > 2) last = at;
  }
  return last;
}

/** The index of the last line of a menu without numbers: a marked line, with a line beside it that is aligned to it. */
function lastMarked(lines: readonly string[]): number {
  const marked = lines.findLastIndex((line) => MARKED.test(line));
  const indent = MARKED.exec(lines[marked] ?? "")?.groups?.before?.length ?? -1;
  const isBeside = (at: number) => indent >= 0 && lines[at]?.search(/\S/) === indent;
  if (!isBeside(marked - 1) && !isBeside(marked + 1)) return -1;
  let last = marked;
  while (isBeside(last + 1)) last++;
  return last;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the keys that choose.
const KEYS = /^(\x1b(\[[0-9;]*[A-Za-z~]|O[A-Za-z])|[\t\x7f])*(\d{1,2}|[^\x00-\x1f]|\x1b|\x03)?[\r\n]?$/u;

/** Whether a text only presses keys that answer a choice. One return at most: a second one would answer the next. */
export function choosesIn(choice: Choice, text: string): boolean {
  return KEYS.test(text) || (choice === "yes_or_no" && /^(yes|no)[\r\n]?$/i.test(text));
}
