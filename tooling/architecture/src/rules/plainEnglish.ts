import type { Rule } from "../repository";
import type { SourceFile } from "../source";

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
  {
    pattern: /\b(?:is|are|was|were|be|good|there) no more\b(?! than)/,
    instead: '"no longer", "no longer exists"',
  },
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
  { pattern: /\bthose who\b|\b[Oo]nly who\b/, instead: '"users who"' },
  {
    pattern: /[,;] also (?:if|when|while|without)\b/,
    instead: '"even if", or a sentence of its own',
  },
  { pattern: /(?:^|[.:;] )The same (?:for|until|on|with|of|as|in|by)\b/, instead: "say what is the same" },
  { pattern: /(?:^|[.:;] )One (?:that|which|with|without)\b/, instead: "begin with the noun" },
  { pattern: /(?:^|\. )Of (?:an?|the|two|several|each)\b/, instead: "begin with the subject" },
  {
    pattern: /\bas (?:it|they) (?:is|are|was|were) (?:shown|written)\b/,
    instead: "say who shows or writes it",
  },
  { pattern: /\b[Ss]ays? (?:`|code\b)/, instead: '"returns", "with", "has"' },
  { pattern: /\botherwise than\b/, instead: '"differently"' },
  { pattern: /\bin force\b/, instead: '"valid"' },
  { pattern: /\bback in time\b/, instead: '"was restored"' },
  {
    pattern: /\b(?:if|that|which)(?: it)? (?:is|are) no (?!longer|more|less|other|such|one\b)\w+/,
    instead: '"is not a"',
  },
];

/** Words with a plainer one. They are also forbidden in texts that programs print and show. */
const words: typeof patterns = [
  { pattern: /\b(?:some|no|every)body\b|\bwhoever\b/i, instead: '"a user", "no one", "all members"' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: '"fix"' },
  { pattern: /\bthe person who looks\b/i, instead: '"the current user"' },
  { pattern: /\b(?:goes|go) on\b/i, instead: '"continue"' },
  { pattern: /\bfor good\b/i, instead: '"permanently"' },
  { pattern: /\b(?:is|are|was|were) gone\b/, instead: '"no longer exists", "was deleted", "has exited"' },
  {
    pattern: /\b(?:database|server|API|cloud|device|PostgreSQL|it) (?:is|was|goes|went|being) away\b/i,
    instead: '"is unreachable", "is offline", "the connection was lost"',
  },
  { pattern: /\blooks? (?:at|again)\b/i, instead: '"reads", "checks"' },
  { pattern: /\bstands? (?:in )?for\b/, instead: '"represents", "replaces"' },
  { pattern: /\bmeanwhile\b/i, instead: '"in the meantime", or until when' },
  { pattern: /\b(?:not|no|nothing|never)\b[^.]*\bany more\b(?! than| \w+s\b)/i, instead: '"no longer"' },
];

const MAX_COLUMNS = 120;

/** The files whose texts a model reads: the MCP servers' tools. */
const TOOL = /^apps\/mcp-\w+\/src\/tools\//;

/** Comments, documents, messages and titles of tests contain none of these, and no comment is too wide. */
export const plainEnglish: Rule = ({ packages, documents }) => [
  ...packages.flatMap(({ sources }) => sources).flatMap(inSource),
  ...documents.flatMap(({ path, text }) =>
    paragraphs(text).flatMap((paragraph) => unclear(path, paragraph, [...patterns, ...words])),
  ),
];

const inSource = ({ path, isTest, comments, messages, titles }: SourceFile): string[] => [
  ...[...comments, ...titles].flatMap(({ text, line }) =>
    unclear(`${path}:${line}`, text, [...patterns, ...words]),
  ),
  ...(isTest ? [] : messages).flatMap(({ text, line }) =>
    unclear(`${path}:${line}`, text, TOOL.test(path) ? [...patterns, ...words] : words),
  ),
  ...comments
    .filter(({ columns }) => columns > MAX_COLUMNS)
    .map(({ line }) => `${path}:${line}: a comment is wider than ${MAX_COLUMNS} columns`),
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
