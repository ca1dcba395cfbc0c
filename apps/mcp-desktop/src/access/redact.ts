/** Removes secrets from a text: the values of a file of `NAME=value` lines are shown as `<secret:NAME>`. */
export type Redact = (text: string) => string;

export const keepAll: Redact = (text) => text;

/**
 * The minimum length of a secret, and of its beginning where a text was cut; anything shorter would match common words.
 */
const MIN_SECRET_LENGTH = 4;

/**
 * @param file its content: a line `NAME=value` for each secret, the value quoted or not; blank lines and comments (#)
 * are skipped
 * @throws {Error} for any other line, with its number and without its text
 */
export function redactor(file: string): Redact {
  const secrets = file
    .split(/\r?\n/)
    .flatMap((line, index) => parseLine(line, index + 1))
    .flatMap(({ name, value }) => writtenForms(value).map((form) => ({ name, form })))
    // A secret that contains another one is replaced first.
    .sort((a, b) => b.form.length - a.form.length);
  return (text) => {
    let redacted = text;
    for (const { name, form } of secrets)
      redacted = withoutCut(redacted.replaceAll(form, `<secret:${name}>`), form, name);
    return redacted;
  };
}

function parseLine(line: string, number: number) {
  if (/^\s*(#|$)/.test(line)) return [];
  const [, name, raw] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
  if (name === undefined || raw === undefined) throw new Error(`line ${number} is not NAME=value`);
  const value = /^(["'])(.*)\1$/.exec(raw)?.[2] ?? raw;
  if (value.length < MIN_SECRET_LENGTH)
    throw new Error(`line ${number}: ${name} is shorter than ${MIN_SECRET_LENGTH} characters`);
  return [{ name, value }];
}

/** Verbatim, in JSON, in an address, and with the whitespace of a line of text. */
const writtenForms = (value: string): string[] => [
  ...new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    new URLSearchParams([["", value]]).toString().slice(1),
    value.replace(/\s+/g, " ").trim(),
  ]),
];

/** If a text was cut with …, the beginning of a secret may precede the mark. */
function withoutCut(text: string, form: string, name: string): string {
  if (!text.includes("…")) return text;
  return text
    .split("…")
    .map((part, index, parts) => {
      if (index === parts.length - 1) return part;
      for (let length = form.length - 1; length >= MIN_SECRET_LENGTH; length--)
        if (part.endsWith(form.slice(0, length))) return `${part.slice(0, -length)}<secret:${name}>`;
      return part;
    })
    .join("…");
}
