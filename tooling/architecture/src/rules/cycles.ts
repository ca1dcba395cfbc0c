import { posix } from "node:path";
import type { Package, Rule } from "../repository";
import type { SourceFile } from "../source";

/** Files that import one another in a circle cannot be read one at a time. Small circles are bearable. */
const MAX_FILES = 4;

/** More than four files of a package do not import one another in a circle, not even types only. */
export const noLargeCycle: Rule = (repository) =>
  repository.packages
    .flatMap(cyclesOf)
    .filter((cycle) => cycle.length > MAX_FILES)
    .map(
      ([first, ...others]) =>
        `${first}:1: imports itself through ${others.length} files, types included: ${others.join(", ")}`,
    );

/** The strongly connected files of a package (Tarjan's algorithm), in order of their paths. */
function cyclesOf({ sources }: Package): string[][] {
  const targets = targetsOf(sources.filter(({ isTest }) => !isTest));
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): number => {
    const index = indexes.size;
    let low = index;
    indexes.set(path, index);
    stack.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!indexes.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, lowest.get(target) ?? indexes.get(target) ?? low);
    }
    lowest.set(path, low);
    if (low === index) cycles.push(stack.splice(stack.indexOf(path)).sort());
    return low;
  };
  for (const path of targets.keys()) if (!indexes.has(path)) visit(path);
  return cycles;
}

/** The files that each file imports, by path. */
function targetsOf(sources: SourceFile[]): Map<string, string[]> {
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, imports }) => [
      path,
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .flatMap(({ specifier }) => {
          const base = posix.join(posix.dirname(path), specifier);
          const names = [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`];
          return names.find((name) => paths.has(name)) ?? [];
        }),
    ]),
  );
}
