import type { Rule } from "../repository";

/** README.md's table of folders has one row for each folder under apps, packages and tooling. */
export const noUnlistedFolder: Rule = (repository) => {
  const readme = repository.documents.find(({ path }) => path === "README.md")?.text ?? "";
  const listed = readme.split("\n").flatMap((line) => /^\| \[?`([\w/-]+)`/.exec(line)?.[1] ?? []);
  return repository.packages
    .map(({ dir }) => ({ dir, rows: listed.filter((path) => path === dir).length }))
    .filter(({ rows }) => rows !== 1)
    .map(({ dir, rows }) => `README.md: its table of folders has ${rows} rows for ${dir}, but needs one`);
};
