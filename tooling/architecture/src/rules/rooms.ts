import { posix } from "node:path";
import type { Rule } from "../repository";

const consoleSource = "apps/web/src/";
/** Folders that every room may use. */
const shared = [
  ...["app", "components", "hooks", "lib", "palette", "shortcuts"],
  ...["diff", "files", "live", "markdown", "styles", "terminal", "ui"],
];
/** The file that brings all rooms together. */
const routerFile = "apps/web/src/app/router.ts";

/** The rooms of the console do not import one another, and its components know neither rooms nor the API. */
export const noImportBetweenRooms: Rule = (repository) =>
  repository.packages
    .flatMap(({ sources }) => sources)
    .filter(({ path }) => path.startsWith(consoleSource) && path !== routerFile)
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .flatMap(({ specifier, line }) => {
          const from = folderOf(path);
          const to = folderOf(posix.join(posix.dirname(path), specifier));
          if (to === undefined || from === to || path === `${consoleSource}main.tsx`) return [];
          if (from === "ui") return [`${path}:${line}: ${specifier} is imported, but ui knows only itself`];
          return shared.includes(to)
            ? []
            : [`${path}:${line}: ${specifier} is imported, but only app/router.ts knows rooms`];
        }),
    );

/** The folder of the console's source that a path is in. */
function folderOf(path: string): string | undefined {
  const [folder, ...rest] = path.slice(consoleSource.length).split("/");
  return path.startsWith(consoleSource) && rest.length > 0 ? folder : undefined;
}
