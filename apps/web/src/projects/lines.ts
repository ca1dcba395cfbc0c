/** A secret that a text sets. */
export interface Entry {
  key: string;
  value: string;
  /** The line that it begins on, counted from 1. */
  line: number;
}

/** A line that sets nothing, and why. */
export interface Fault {
  line: number;
  words: string;
}

const NAME = /^[A-Z_][A-Z0-9_]*$/;
const ENTRY = /^(?:export\s+)?([^\s=]+)\s*=\s*(.*)$/;
const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

/**
 * Reads lines as a `.env` file has them: `KEY=value`, also after `export`. Empty lines and those that begin with `#`
 * say nothing. A value in quotes may go on over several lines; in double quotes, `\n` is a line break. Without quotes
 * it is all the rest of its line.
 */
export function readLines(text: string): { entries: Entry[]; faults: Fault[] } {
  const lines = text.split(/\r?\n/);
  const entries: Entry[] = [];
  const faults: Fault[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1;
    const content = lines[at]?.trim() ?? "";
    if (content === "" || content.startsWith("#")) continue;
    const [, key = "", rest = ""] = ENTRY.exec(content) ?? [];
    const quote = rest.startsWith('"') || rest.startsWith("'") ? rest.charAt(0) : "";
    const ends = quote === "" ? undefined : endOf(quote, [rest, ...lines.slice(at + 1)]);
    const earlier = entries.find((entry) => entry.key === key);
    if (key === "") faults.push({ line, words: "is no KEY=value." });
    else if (!NAME.test(key)) faults.push({ line, words: nameFault(key) });
    else if (quote !== "" && !ends) faults.push({ line, words: `${key}: the quote never ends.` });
    else if (ends && ends.after !== "" && !ends.after.startsWith("#"))
      faults.push({ line, words: `${key}: there is more after the quote.` });
    else if (earlier) faults.push({ line, words: `${key} is on line ${earlier.line} already.` });
    else entries.push({ key, value: ends?.value ?? rest, line });
    at += ends?.more ?? 0;
  }
  return { entries, faults };
}

/** Why a name is none that a secret may have. */
const nameFault = (name: string): string =>
  `${name} is no name for a secret. Use capital letters, digits and _, such as API_TOKEN.`;

/** The value in quotes at the beginning of some lines, how many more lines it takes, and what comes after it. */
function endOf(quote: string, lines: readonly string[]) {
  const body = quote === '"' ? /^"((?:[^"\\]|\\[\s\S])*)"(.*)/ : /^'([^']*)'(.*)/;
  const [, value, after = ""] = body.exec(lines.join("\n")) ?? [];
  if (value === undefined) return undefined;
  return {
    value: quote === '"' ? unescaped(value) : value,
    after: after.trim(),
    more: value.split("\n").length - 1,
  };
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\([\s\S])/g, (_, sign: string) => escapes[sign] ?? sign);
