import { REDACTED, redactKnownSecrets } from "@grove/schemas";

/** The names of variables whose values are secrets. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|_PAT)$/i;
/** Shorter values would hide ordinary words. */
const MIN_LENGTH = 8;

/**
 * Returns a function that replaces secrets in a text: values of the session's environment, and known forms.
 * @param projectSecrets the names of variables that hold secrets of the project
 */
export function redactor(
  env: Readonly<Record<string, string>>,
  projectSecrets: readonly string[],
): (text: string) => string {
  const values = Object.entries(env)
    .filter(
      ([name, value]) =>
        value.length >= MIN_LENGTH && (projectSecrets.includes(name) || SECRET_NAME.test(name)),
    )
    // The input of a tool is shown as JSON, which escapes quotes and line breaks.
    .flatMap(([, value]) => [value, JSON.stringify(value).slice(1, -1)])
    // The longest first, since one secret may contain another.
    .sort((a, b) => b.length - a.length);
  return (text) => redactKnownSecrets(values.reduce((rest, value) => rest.replaceAll(value, REDACTED), text));
}
