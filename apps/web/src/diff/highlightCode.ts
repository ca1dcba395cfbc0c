import { getSharedHighlighter } from "@pierre/diffs";
import { languageNamed } from "./languageOf";
import { THEME } from "./syntaxTheme";

/** Longer code stays plain, because it is highlighted on the main thread. */
const MAX_CHARACTERS = 10_000;
/** The rest of a longer line stays plain. */
const MAX_LINE = 1_000;

/** The parts of a line. The colour is a variable of `syntax.css`. */
export type HighlightedLine = { content: string; offset: number; color?: string }[];

/**
 * Highlights code outside the diff viewer.
 * @param language its name, as in Markdown
 * @returns undefined if the language is unknown, or the code too long
 */
export async function highlightCode(code: string, language: string): Promise<HighlightedLine[] | undefined> {
  const lang = languageNamed(language);
  if (lang === undefined || code.length > MAX_CHARACTERS) return undefined;
  const theme = THEME.light;
  const highlighter = await getSharedHighlighter({ themes: [theme], langs: [lang] });
  return highlighter.codeToTokens(code, { lang, theme, tokenizeMaxLineLength: MAX_LINE }).tokens;
}
