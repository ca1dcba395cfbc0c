import type { bundledLanguages } from "./languages";

type Language = keyof typeof bundledLanguages;

const byExtension: Record<string, Language> = {
  bash: "bash",
  c: "c",
  cc: "c",
  cjs: "javascript",
  cpp: "c",
  cs: "csharp",
  css: "css",
  cts: "typescript",
  cxx: "c",
  dart: "dart",
  diff: "diff",
  ex: "elixir",
  exs: "elixir",
  go: "go",
  gql: "graphql",
  graphql: "graphql",
  h: "c",
  hh: "c",
  hpp: "c",
  htm: "html",
  html: "html",
  ini: "ini",
  java: "java",
  js: "javascript",
  json: "json",
  jsonc: "jsonc",
  jsx: "jsx",
  kt: "kotlin",
  kts: "kotlin",
  less: "scss",
  lua: "lua",
  markdown: "markdown",
  md: "markdown",
  mdx: "markdown",
  mjs: "javascript",
  mk: "make",
  mts: "typescript",
  patch: "diff",
  php: "php",
  py: "python",
  pyi: "python",
  rb: "ruby",
  rs: "rust",
  sass: "scss",
  scala: "scala",
  scss: "scss",
  sh: "bash",
  sql: "sql",
  svelte: "svelte",
  svg: "xml",
  swift: "swift",
  tf: "terraform",
  toml: "toml",
  ts: "typescript",
  tsx: "tsx",
  vue: "vue",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
  zig: "zig",
  zsh: "bash",
};
const byName: Record<string, Language> = { Dockerfile: "dockerfile", Makefile: "make", Gemfile: "ruby" };

/** Names of languages that are not a file extension. */
const byAlias: Record<string, Language> = {
  "c++": "c",
  "c#": "csharp",
  docker: "dockerfile",
  golang: "go",
  shell: "bash",
};
const byLanguageName = new Map<string, Language>([
  ...[...Object.values(byExtension), ...Object.values(byName)].map(
    (language) => [language, language] as const,
  ),
  ...Object.entries(byExtension),
  ...Object.entries(byAlias),
]);

/** Returns the language of a file by its name, or "text". */
export function languageOf(path: string): Language | "text" {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return (
    (Object.hasOwn(byName, name) && byName[name]) ||
    (name.includes(".") && Object.hasOwn(byExtension, extension) && byExtension[extension]) ||
    "text"
  );
}

/** Returns a language by the names that people give it, such as `ts`, `TypeScript` or `c++`. */
export const languageNamed = (name: string): Language | undefined => byLanguageName.get(name.toLowerCase());
