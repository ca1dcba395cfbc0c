/** A name as git has it: each character is one byte, since names need not be UTF-8. */
export type RawName = string;

const ESCAPES: Record<string, string> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};
const octal = (byte: string) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`;
const isControl = (byte: string) => byte < " " || byte === "\u007f";

/** A name in git's quotes: special bytes, and those for which `more` holds, are escaped. */
const escaped = (name: RawName, more: (byte: string) => boolean): string => {
  const bytes = [...name].map(
    (byte) => ESCAPES[byte] ?? (isControl(byte) || more(byte) ? octal(byte) : byte),
  );
  return `"${bytes.join("")}"`;
};

/** The form of a name in the headers of a patch with `core.quotePath=false`. */
export const quoted = (name: RawName): string =>
  [...name].some((byte) => isControl(byte) || byte in ESCAPES) ? escaped(name, () => false) : name;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const bytesOf = (name: RawName) => Buffer.from(name, "latin1");

/** The name in UTF-8, or undefined if it is none. */
function decoded(name: RawName): string | undefined {
  try {
    return utf8.decode(bytesOf(name));
  } catch {
    return undefined;
  }
}

/** The name for callers. A name that is not UTF-8 is quoted, with its other bytes in octal, as git shows it. */
export const shown = (name: RawName): string => decoded(name) ?? escaped(name, (byte) => byte > "\u007f");

/**
 * The pathspec for a name. An argument must be UTF-8, so in other names each byte beyond ASCII is replaced by a
 * wildcard.
 */
export const pathspec = (name: RawName): string => {
  const text = decoded(name);
  return text === undefined
    ? `:(top,glob)${name.replaceAll(/[?*[\]\\]/g, "\\$&").replaceAll(/[\u0080-\u00ff]/g, "?")}`
    : `:(top,literal)${text}`;
};
