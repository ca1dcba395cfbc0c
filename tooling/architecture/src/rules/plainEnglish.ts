import type { Rule } from "../repository";

/** Patterns that make a native reader stop, each with a better way to write it. */
const patterns: { pattern: RegExp; instead: string }[] = [
  {
    pattern: /(?:^|[.:;] )(?:What|Whatever|Who|Whoever|Whom|Whose|Of what|Of one|Of those|Of all)\b[^?]*$/,
    instead: "begin the sentence with a noun or a verb",
  },
  {
    pattern: /\b(?:for|of|to|by|from|with|than) (?:who|whom|whoever)\b/,
    instead: 'give "who" a noun: "anyone who", "the caller"',
  },
  {
    pattern: /(?<!\b(?:or|any\w+|some\w+|every\w+|no\w*|what|whoever|all|little|much|one) )\belse(?=[.;:])/,
    instead: '"otherwise"',
  },
  { pattern: /\b(?:is|are|was|were|be|good|there) no more\b(?! than)/, instead: '"no longer", "is gone"' },
  { pattern: /\banew\b/, instead: '"again"' },
  { pattern: /\bh[au]ngs? on\b/, instead: '"is attached to", "depends on"' },
  { pattern: /\bat once\b/, instead: '"immediately" or "together"' },
  { pattern: /\bfor ever\b/, instead: '"forever"' },
  { pattern: /\bunder way\b/, instead: '"in flight", "in progress"' },
  { pattern: /(?:^|\. )So (?:long|much|many)\b/, instead: "say how long or how many of which noun" },
  {
    pattern: /(?:^|\. )Has (?:a|an|the|whatever|all|each|every)\b/,
    instead: 'a verb: "makes", "lets", "checks"',
  },
];

/** Words with a plainer one, also in what programs print and show. */
const words: typeof patterns = [
  { pattern: /\b(?:some|no|every)body\b|\bwhoever\b/i, instead: '"a user", "no one", "all members"' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: '"fix"' },
  { pattern: /\bthe person who looks\b/i, instead: '"the current user"' },
  { pattern: /\b(?:goes|go) on\b/i, instead: '"continue"' },
  { pattern: /\bfor good\b/i, instead: '"permanently"' },
  { pattern: /\b(?:not|no|nothing|never)\b[^.]*\bany more\b(?! than| \w+s\b)/i, instead: '"no longer"' },
];

const MAX_COLUMNS = 120;

/** Comments, documents and messages contain none of the patterns above, and no comment is too wide. */
export const plainEnglish: Rule = ({ packages, documents }) => [
  ...packages
    .flatMap(({ sources }) => sources)
    .flatMap(({ path, comments }) =>
      comments.flatMap(({ text, line }) => unclear(`${path}:${line}`, text, [...patterns, ...words])),
    ),
  ...packages
    .flatMap(({ sources }) => sources)
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, messages }) =>
      messages.flatMap(({ text, line }) => unclear(`${path}:${line}`, text, words)),
    ),
  ...documents.flatMap(({ path, text }) =>
    paragraphs(text).flatMap((paragraph) => unclear(path, paragraph, [...patterns, ...words])),
  ),
  ...packages
    .flatMap(({ sources }) => sources)
    .flatMap(({ path, comments }) =>
      comments
        .filter(({ columns }) => columns > MAX_COLUMNS)
        .map(({ line }) => `${path}:${line}: a comment is wider than ${MAX_COLUMNS} columns`),
    ),
];

function unclear(place: string, text: string, forbidden: typeof patterns): string[] {
  const sentences = text.replace(/\s+/g, " ").split(/(?<=[.?!]) /);
  return sentences.flatMap((sentence) =>
    forbidden
      .filter(({ pattern }) => pattern.test(sentence))
      .map(({ pattern, instead }) => `${place}: "${pattern.exec(sentence)?.[0].slice(0, 40)}": ${instead}`),
  );
}

/** The paragraphs of a Markdown file, without code blocks and code spans. */
const paragraphs = (text: string) =>
  text
    .replace(/```[\s\S]*?```/g, "")
    .replace(/`[^`\n]*`/g, "code")
    .split(/\n\s*\n|\n(?=[-*|#\d])/)
    .map((paragraph) => paragraph.replace(/^[-*#\s\d.]+/, ""));
