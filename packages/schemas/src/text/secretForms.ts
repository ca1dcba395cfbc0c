/** The replacement of a secret in a text. */
export const REDACTED = "[redacted]";

/**
 * Credentials that have a known form: GitHub, GitLab, Slack, AWS, Grove, OpenAI and Anthropic, and JSON Web Tokens. The
 * search takes linear time, even in a log that was written to slow it down: no two tries read the same run of
 * characters.
 */
const KNOWN_FORMS =
  /\b(gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abps]-[\w-]{10,}|AKIA[0-9A-Z]{16}|gr[kd]_\w{20,}|sk-[\w-]{20,}|(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/g;

/** Replaces the credentials in a text that have a known form. */
export const redactKnownSecrets = (text: string): string => text.replaceAll(KNOWN_FORMS, REDACTED);
