import { posix } from "node:path";
import type { Rule } from "../repository";

const consoleSource = "apps/web/src/";
/** The folders that every feature may import. */
const shared = [
  ...["app", "components", "hooks", "lib", "palette", "shortcuts"],
  ...["diff", "files", "live", "markdown", "styles", "terminal", "ui"],
];
/** The file that joins the routes of all features. */
const routerFile = "apps/web/src/app/router.ts";

/** The console's features do not import one another, and `ui` imports neither features nor the API. */
export const noImportBetweenFeatures: Rule = (repository) =>
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
          if (from === "ui")
            return [`${path}:${line}: ${specifier} is imported, but ui imports only from itself`];
          return shared.includes(to)
            ? []
            : [
                `${path}:${line}: ${specifier} is imported, but only app/router.ts imports from other features`,
              ];
        }),
    );

/** The folder of the console's source that a path is in. */
function folderOf(path: string): string | undefined {
  const [folder, ...rest] = path.slice(consoleSource.length).split("/");
  return path.startsWith(consoleSource) && rest.length > 0 ? folder : undefined;
}
