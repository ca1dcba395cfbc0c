/**
 * Whether a text contains a pattern, ignoring case; `*` matches anything. It uses no regular expression: the pattern
 * comes from a model and the text from a page, and together they could make one run for years.
 */
export function matches(text: string, pattern: string): boolean {
  const sought = text.toLowerCase();
  let from = 0;
  for (const part of pattern.toLowerCase().split("*")) {
    const at = sought.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}
