import { braceExpand, minimatch } from "minimatch";
import { type Node, Visitor } from "oxc-parser";
import type { Rule } from "../repository";
import { isNamed, isRunner, keyOf } from "../source";

const skippingModifiers = ["only", "skip", "skipIf", "todo", "fails"];

/** Every test runs: no `skip`, `only` or `todo`. `runIf` is for tests that other machines cannot run at all. */
export const noSkippedTest: Rule = (repository) => {
  const found: string[] = [];
  for (const { path, program, isTest, lineOf } of repository.packages.flatMap(({ sources }) => sources)) {
    if (!isTest) continue;
    const report = (node: Node, what: string) =>
      found.push(`${path}:${lineOf(node)}: ${what} leaves tests out`);
    new Visitor({
      MemberExpression: (node) => {
        const key = keyOf(node);
        if (typeof key === "string" && skippingModifiers.includes(key) && isRunner(node.object))
          report(node, `.${key}`);
      },
      CallExpression: ({ callee }) => {
        const isBare = callee.type === "Identifier" && /^(x|f)(it|test|describe)$/.test(callee.name);
        // A test's own context: `test("…", ({ skip }) => skip())`, `(context) => context.skip()`.
        const isContext =
          isNamed(callee, "skip") ||
          (callee.type === "MemberExpression" && keyOf(callee) === "skip" && !isRunner(callee.object));
        if (isBare || isContext) report(callee, "this call");
      },
    }).visit(program);
  }
  return found;
};

/**
 * A loop starts the calls that it awaits one by one. If all are started before, a later one may be refused while an
 * earlier one is awaited, and Node ends a process for a rejection that no one handles yet.
 */
export const noLoopOverStartedCalls: Rule = (repository) => {
  const found: string[] = [];
  for (const { path, program, lineOf } of repository.packages.flatMap(({ sources }) => sources))
    new Visitor({
      ForOfStatement: (node) => {
        if (node.right.type !== "ArrayExpression") return;
        if (node.right.elements.filter(isApiCall).length > 1)
          found.push(`${path}:${lineOf(node)}: list functions, and start each call in the loop`);
      },
    }).visit(program);
  return found;
};

/** Each pattern of a `vitest.config.ts`, and each alternative of its braces, matches a file, also after a renaming. */
export const noPatternWithoutFile: Rule = (repository) => {
  const found: string[] = [];
  for (const { dir, sources } of repository.packages) {
    const config = sources.find(({ path }) => path === `${dir}/vitest.config.ts`);
    if (!config) continue;
    const paths = sources.map(({ path }) => path.slice(dir.length + 1));
    // Some patterns are the end of a path.
    const matchesFile = (pattern: string) =>
      paths.some((path) => minimatch(path, pattern) || path.endsWith(`/${pattern}`));
    new Visitor({
      Literal: (node) => {
        if (typeof node.value !== "string" || !/^[^@].*\/.*(\.ts|\*)$/.test(node.value)) return;
        for (const pattern of braceExpand(node.value))
          if (!matchesFile(pattern))
            found.push(`${config.path}:${config.lineOf(node)}: no file matches ${pattern}`);
      },
    }).visit(config.program);
  }
  return found;
};

/** Ending a Playwright route can lose other requests that are in flight, and then a page waits for them forever. */
export const noEndingRoute: Rule = (repository) => {
  const found: string[] = [];
  for (const { path, program, lineOf } of repository.packages.flatMap(({ sources }) => sources)) {
    const report = (node: Node) =>
      found.push(`${path}:${lineOf(node)}: keep the route, as interceptFirst of the journeys does`);
    new Visitor({
      CallExpression: ({ callee, arguments: [, , options] }) => {
        if (callee.type !== "MemberExpression") return;
        const isTimed =
          options?.type === "ObjectExpression" &&
          options.properties.some((one) => one.type === "Property" && isNamed(one.key, "times"));
        if (keyOf(callee) === "unroute" || (keyOf(callee) === "route" && isTimed)) report(callee);
      },
    }).visit(program);
  }
  return found;
};

const isApiCall = (node: Node | null) =>
  node?.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  ["mutate", "query"].includes(String(keyOf(node.callee)));
