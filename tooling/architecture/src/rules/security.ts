import { Visitor } from "oxc-parser";
import type { Rule } from "../repository";

/** Each promise of SECURITY.md is proven by a test that exists under that name. */
export const noPromiseWithoutTest: Rule = ({ packages, documents }) => {
  const page = documents.find(({ path }) => path === "SECURITY.md")?.text ?? "";
  const sources = packages.flatMap(({ sources }) => sources);
  const titlesOf = (file: string): string[] => {
    const titles: string[] = [];
    const source = sources.find(({ path }) => path === file);
    if (source)
      new Visitor({
        Literal: ({ value }) => void (typeof value === "string" && titles.push(value)),
      }).visit(source.program);
    return titles;
  };
  return page.split("\n").flatMap((row, index) => {
    if (!/^\| (?!-|promise )/.test(row)) return [];
    const proofs = [...row.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = "", file = ""]) => ({
      title,
      file,
    }));
    const location = `SECURITY.md:${index + 1}`;
    if (proofs.length === 0) return [`${location}: this promise names no test`];
    return proofs
      .filter(({ title, file }) => !titlesOf(file).includes(title))
      .map(({ title, file }) => `${location}: ${file} has no test "${title}"`);
  });
};

/** A workflow names each action by the digest of its commit, since a tag can be moved. */
export const noActionByTag: Rule = ({ workflows }) =>
  workflows.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      const [, action = ""] = /^\s*-?\s*uses:\s*(\S+)/.exec(line) ?? [];
      return action === "" || action.startsWith("./") || /@[\da-f]{40}$/.test(action)
        ? []
        : [`${path}:${index + 1}: ${action} is not named by a digest`];
    }),
  );
