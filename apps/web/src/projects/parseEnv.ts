/** A variable that the text sets. */
export interface Entry {
  key: string;
  value: string;
  /** The number of its first line, from 1. */
  line: number;
}

/** An invalid line, and the reason. */
export interface Fault {
  line: number;
  message: string;
}

const NAME = /^[A-Z_][A-Z0-9_]*$/;
const ENTRY = /^(?:export\s+)?([^\s=]+)\s*=\s*(.*)$/;
const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

/**
 * Parses the format of `.env` files: `KEY=value`, optionally after `export`. Empty lines and lines that start with `#`
 * are ignored. A quoted value may span several lines; in double quotes, `\n` is a line break. An unquoted value
 * extends to the end of its line.
 */
export function parseEnv(text: string): { entries: Entry[]; faults: Fault[] } {
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
    if (key === "") faults.push({ line, message: "is not KEY=value." });
    else if (!NAME.test(key)) faults.push({ line, message: nameFault(key) });
    else if (quote !== "" && !ends) faults.push({ line, message: `${key}: the closing quote is missing.` });
    else if (ends && ends.after !== "" && !ends.after.startsWith("#"))
      faults.push({ line, message: `${key}: unexpected text after the closing quote.` });
    else if (earlier) faults.push({ line, message: `${key} is already set on line ${earlier.line}.` });
    else entries.push({ key, value: ends?.value ?? rest, line });
    at += ends?.more ?? 0;
  }
  return { entries, faults };
}

/** Returns why a name is invalid. */
const nameFault = (name: string): string =>
  `${name} is not a valid name. Use capital letters, digits and _, such as API_TOKEN.`;

/** Returns the quoted value at the start of the lines, the number of further lines it spans, and the text after it. */
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
