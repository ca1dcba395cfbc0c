/** The names of variables whose values are secrets. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|_PAT)$/i;
/** Shorter values would hide ordinary words. */
const MIN_LENGTH = 8;
/** Credentials that have a known form: GitHub, GitLab, Slack, AWS, Grove, OpenAI and Anthropic, and JSON Web Tokens. */
const KNOWN_FORMS =
  /\b(gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abps]-[\w-]{10,}|AKIA[0-9A-Z]{16}|gr[kd]_\w{20,}|sk-[\w-]{20,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/g;

const REDACTED = "[redacted]";

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
  return (text) =>
    values.reduce((rest, value) => rest.replaceAll(value, REDACTED), text).replaceAll(KNOWN_FORMS, REDACTED);
}
