import { posix } from "node:path";
import type { Rule } from "../repository";

interface Folder {
  /** Matches the paths of the folder, or folders, from the root. */
  path: RegExp;
  /** The files outside the folder that may import from it; all files, if there is no pattern. */
  importedBy?: RegExp;
  /** The files outside the folder that it may import; all files, if there is no pattern. */
  imports?: RegExp;
  why: string;
}

/** The device's folders. Each may import those before it. */
const deviceLayers = [
  "lib",
  "cloud",
  "git",
  "files",
  "home",
  "hooks",
  "sessions",
  "doctor",
  "tools",
  "commands",
  "service",
  "cli",
];

const folders: Folder[] = [
  {
    path: /^apps\/api\/src\/\w+\/procedures(\/|$)/,
    importedBy: /^apps\/api\/src\/router$/,
    why: "only router.ts imports procedures; code that they share belongs in the folder of its noun",
  },
  {
    path: /^apps\/api\/src\/lib(\/|$)/,
    imports: /^apps\/api\/package\.json$/,
    why: "lib imports nothing above it",
  },
  ...deviceLayers.slice(0, -1).map((layer, index) => ({
    path: new RegExp(`^apps/device/src/${layer}(/|$)`),
    imports: new RegExp(`^apps/device/(?!src/(${deviceLayers.slice(index + 1).join("|")})(/|$))`),
    why: `the device's folders are layers: ${deviceLayers.join(" < ")}`,
  })),
];

/** Imports inside a package keep to the order of its folders. Tests may import anything of their package. */
export const noImportAgainstFolderOrder: Rule = (repository) =>
  repository.packages
    .flatMap((owner) => owner.sources)
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .flatMap(({ specifier, line }) => {
          const target = posix.join(posix.dirname(path), specifier);
          return folders
            .filter((folder) => breaks(folder, path.replace(/\.[cm]?[jt]sx?$/, ""), target))
            .map(({ why }) => `${path}:${line}: ${specifier} may not be imported here: ${why}`);
        }),
    );

function breaks({ path, importedBy, imports }: Folder, from: string, target: string): boolean {
  const within = (file: string) => path.test(file);
  if (within(from) === within(target)) return false;
  return within(target) ? importedBy?.test(from) === false : imports?.test(target) === false;
}
