import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSource, type SourceFile } from "./source";

type Exports = Record<string, string | Record<string, string>>;

export interface Manifest {
  name: string;
  description?: string;
  license?: string;
  private?: boolean;
  engines?: { node?: string };
  /** What a tarball has besides the manifest. */
  files?: string[];
  exports?: Exports;
  /** What stands in a tarball's manifest in place of the same here. */
  publishConfig?: { exports?: Exports };
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Package {
  name: string;
  /** From the root: `apps/api`. */
  dir: string;
  /** The room of the house that it stands in. */
  room: "apps" | "packages" | "tooling";
  manifest: Manifest;
  readme: string | undefined;
  sources: SourceFile[];
}

export interface House {
  packages: Package[];
  rootManifest: Manifest;
  lockfile: string;
  /** `.env.example`, which lists what the programs read from their environment. */
  environmentExample: string;
}

/** A rule of the house: what breaks it, each as `path:line: sentence`. */
export type Rule = (house: House) => string[];

const rooms = ["apps", "packages", "tooling"] as const;

/** The repository as the rules see it. Nothing of it is run. */
export function readHouse(root: string): House {
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  const manifest = (path: string): Manifest => JSON.parse(text(path));
  const packages = rooms.flatMap((room) =>
    subdirectories(join(root, room))
      .map((name) => `${room}/${name}`)
      // What git does not know stays behind when a package moves: node_modules, dist.
      .filter((dir) => existsSync(join(root, dir, "package.json")))
      .map((dir): Package => {
        const own = manifest(`${dir}/package.json`);
        return {
          name: own.name,
          dir,
          room,
          manifest: own,
          readme: existsSync(join(root, dir, "README.md")) ? text(`${dir}/README.md`) : undefined,
          sources: sourcePaths(root, dir).map((path) => readSource(path, text(path))),
        };
      }),
  );
  return {
    packages,
    rootManifest: manifest("package.json"),
    lockfile: text("pnpm-lock.yaml"),
    environmentExample: text(".env.example"),
  };
}

const subdirectories = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
    : [];

const isMade = (name: string) => name === "node_modules" || name === "dist" || name.startsWith(".");

function sourcePaths(root: string, dir: string): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = `${dir}/${entry.name}`;
    if (entry.isDirectory()) return isMade(entry.name) ? [] : sourcePaths(root, path);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
  });
}
