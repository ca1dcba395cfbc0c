import type { Repository, Rule } from "../repository";

/** README.md's table of folders has one row for each folder under apps, packages and tooling. */
export const noUnlistedFolder: Rule = (repository) =>
  wrongRows(
    repository,
    "README.md",
    repository.packages.map(({ dir }) => dir),
  );

/** The table of folders in the API's README has one row for each folder of its `src`. */
export const noUnlistedApiFolder: Rule = (repository) => {
  const sources = repository.packages.find(({ dir }) => dir === API)?.sources ?? [];
  const folders = sources.flatMap(({ path }) => new RegExp(`^${API}/src/([^/]+)/`).exec(path)?.[1] ?? []);
  return wrongRows(repository, `${API}/README.md`, [...new Set(folders)]);
};

const API = "apps/api";

/** The folders that do not have exactly one row in the tables of a README. */
function wrongRows({ documents }: Repository, readme: string, folders: readonly string[]): string[] {
  const text = documents.find(({ path }) => path === readme)?.text ?? "";
  const listed = text.split("\n").flatMap((line) => /^\| \[?`([\w/-]+?)\/?`/.exec(line)?.[1] ?? []);
  return folders
    .map((folder) => ({ folder, rows: listed.filter((path) => path === folder).length }))
    .filter(({ rows }) => rows !== 1)
    .map(
      ({ folder, rows }) => `${readme}: its table of folders has ${rows} rows for ${folder}, but needs one`,
    );
}
