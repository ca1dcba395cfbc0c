import { type ImportDeclaration, type Node, parseSync, type StringLiteral, Visitor } from "oxc-parser";

export interface Import {
  /** The specifier as written: `./server`, `@grove/db/testing`. */
  specifier: string;
  /** Whether the compiler erases it: `import type`, `export type … from`, `import("…").Name` in a type. */
  typeOnly: boolean;
  line: number;
}

/** A file of TypeScript or JavaScript in a workspace package. */
export interface SourceFile {
  /** The path from the root of the repository, with forward slashes. */
  path: string;
  program: ReturnType<typeof parseSync>["program"];
  imports: Import[];
  /** Whether it is a test, or a file that only tests import. */
  isTest: boolean;
  /** Whether only tools read it and no program contains it: tsup.config.ts, vitest.config.ts. */
  isConfig: boolean;
  comments: Comment[];
  /** The texts of a sentence or more in its strings, templates and JSX, which people may read. */
  messages: { text: string; line: number }[];
  /** The titles of its tests and of their groups. */
  titles: { text: string; line: number }[];
  lineOf: (node: Node) => number;
}

/** A block comment, or line comments that follow each other. */
interface Comment {
  text: string;
  line: number;
  /** The width of its widest line, including the code before the comment. */
  columns: number;
}

/** `x.test.ts`, `x.shots.ts`, `x.measure.ts`, `x.fixture.ts`, and every file in a folder `testing` or named so. */
const isTestPath = (path: string) =>
  /(\.test|\.shots|\.measure|\bfixture|\btesting)\.[a-z]+$|\/testing\//.test(path);

export function readSource(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} cannot be read: ${errors[0].message}`);
  const lineOf = (node: Node) => text.slice(0, node.start).split("\n").length;
  return {
    path,
    program,
    imports: importsOf(program, lineOf),
    isTest: isTestPath(path),
    isConfig: /\.config\.[a-z]+$/.test(path),
    comments: commentsOf(text, comments),
    messages: messagesOf(program, lineOf),
    titles: titlesOf(program, lineOf),
    lineOf,
  };
}

function commentsOf(source: string, found: ReturnType<typeof parseSync>["comments"]): Comment[] {
  const comments: (Comment & { end: number })[] = [];
  for (const { type, value, start, end } of found) {
    const lineStart = source.lastIndexOf("\n", start) + 1;
    const widths = source
      .slice(lineStart, end)
      .split("\n")
      .map((line) => line.length);
    const columns = Math.max(...widths);
    const before = comments.at(-1);
    const continues = type === "Line" && before && /^\r?\n[ \t]*$/.test(source.slice(before.end, start));
    if (continues) {
      before.text += ` ${value.trim()}`;
      before.columns = Math.max(before.columns, columns);
      before.end = end;
      continue;
    }
    const text = value.replace(/^[ \t]*\*+ ?/gm, "").trim();
    comments.push({ text, line: source.slice(0, start).split("\n").length, columns, end });
  }
  return comments;
}

function messagesOf(program: SourceFile["program"], lineOf: SourceFile["lineOf"]): SourceFile["messages"] {
  const messages: SourceFile["messages"] = [];
  const add = (node: Node, text: string) => {
    // Class names, SQL and the like are not sentences.
    if (/[a-z,] [a-z]+ [a-z]/.test(text)) messages.push({ text, line: lineOf(node) });
  };
  new Visitor({
    Literal: (node) => typeof node.value === "string" && add(node, node.value),
    TemplateElement: (node) => add(node, node.value.cooked ?? ""),
    JSXText: (node) => add(node, node.value),
  }).visit(program);
  return messages;
}

function titlesOf(program: SourceFile["program"], lineOf: SourceFile["lineOf"]): SourceFile["titles"] {
  const titles: SourceFile["titles"] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }) => {
      if (isRunner(callee) && isString(title)) titles.push({ text: title.value, line: lineOf(title) });
    },
  }).visit(program);
  return titles;
}

const runners = ["describe", "suite", "it", "test"];

/**
 * Whether it is a function of Vitest that takes a title, with or without modifiers: `it`, `it.concurrent`,
 * `it.for([…])`.
 */
export const isRunner = (node: Node): boolean =>
  node.type === "MemberExpression"
    ? isRunner(node.object)
    : node.type === "CallExpression"
      ? isRunner(node.callee)
      : node.type === "Identifier" && runners.includes(node.name);

function importsOf(program: SourceFile["program"], lineOf: SourceFile["lineOf"]): Import[] {
  const imports: Import[] = [];
  const add = (source: StringLiteral, typeOnly: boolean) =>
    imports.push({ specifier: source.value, typeOnly, line: lineOf(source) });
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === "type"),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ExportNamedDeclaration: (node) => node.source && add(node.source, node.exportKind === "type"),
    TSImportType: (node) => add(node.source, true),
    ImportExpression: (node) => isString(node.source) && add(node.source, false),
    CallExpression: ({ callee, arguments: [first] }) =>
      callee.type === "Identifier" && callee.name === "require" && isString(first) && add(first, false),
  }).visit(program);
  return imports;
}

const isString = (node: Node | undefined): node is StringLiteral =>
  node?.type === "Literal" && typeof node.value === "string";

export const isNamed = (node: Node | null | undefined, name: string) =>
  node?.type === "Identifier" && node.name === name;

/** The key in `a.key` and `a["key"]`; undefined in `a[key]`. */
export const keyOf = ({ property, computed }: Extract<Node, { type: "MemberExpression" }>) =>
  isString(property)
    ? property.value
    : computed || property.type !== "Identifier"
      ? undefined
      : property.name;

/** `process` and `globalThis.process` */
export const isProcess = (node: Node) =>
  isNamed(node, "process") ||
  (node.type === "MemberExpression" && isNamed(node.object, "globalThis") && keyOf(node) === "process");

/** Whether it is `import { name } from "node:process"`. */
export const takesFromProcess = ({ source, specifiers }: ImportDeclaration, name: string) =>
  /^(node:)?process$/.test(source.value) &&
  specifiers.some((one) => one.type === "ImportSpecifier" && isNamed(one.imported, name));
