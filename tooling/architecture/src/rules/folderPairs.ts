import { posix } from "node:path";
import type { Rule } from "../repository";

interface Import {
  from: string;
  to: string;
  place: string;
}

/**
 * Forbids that two folders of the API import each other, so that each can be read with only those that it uses. The
 * router and the server's start, beside the folders, join them.
 */
export const noImportBothWays: Rule = (repository) => {
  const imports = repository.packages
    .flatMap((owner) => owner.sources)
    .filter(({ isTest, path }) => !isTest && folderOf(path) !== undefined)
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .flatMap(({ specifier, line }): Import[] => {
          const [from, to] = [folderOf(path), folderOf(posix.join(posix.dirname(path), specifier))];
          return from === undefined || to === undefined || from === to
            ? []
            : [{ from, to, place: `${path}:${line}` }];
        }),
    );
  const importsOf = (from: string, to: string) =>
    imports.filter((each) => each.from === from && each.to === to).length;
  /** If two folders import each other, only the direction with fewer imports is reported. */
  const isReported = (from: string, to: string) => {
    const excess = importsOf(from, to) - importsOf(to, from);
    return excess < 0 || (excess === 0 && from < to);
  };
  return imports
    .filter(({ from, to }) => importsOf(to, from) > 0 && isReported(from, to))
    .map(({ from, to, place }) => `${place}: ${from} imports from ${to}, which imports from ${from}`);
};

/** The folder of the API's source that a path is in. Test helpers may import any folder. */
function folderOf(path: string): string | undefined {
  const [, folder, rest] = /^apps\/api\/src\/(\w+)(\/.+)?$/.exec(path) ?? [];
  if (folder === "testing" || rest?.includes("/testing")) return undefined;
  // A file beside the folders, or the folder's index.
  return rest === undefined && path.endsWith(".ts") ? undefined : folder;
}
