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
  /** The files of a tarball, besides the manifest. */
  files?: string[];
  exports?: Exports;
  /** Replaces fields of the manifest in the tarball. */
  publishConfig?: { exports?: Exports };
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Package {
  name: string;
  /** The path from the root: `apps/api`. */
  dir: string;
  /** The top-level folder that contains it. */
  folder: "apps" | "packages" | "tooling";
  manifest: Manifest;
  readme: string | undefined;
  sources: SourceFile[];
}

export interface Repository {
  packages: Package[];
  /**
   * The hand-written Markdown files of the root and of the packages, without the generated references; and the comments
   * of configuration files.
   */
  documents: { path: string; text: string }[];
  /** The workflows of GitHub. */
  workflows: { path: string; text: string }[];
  rootManifest: Manifest;
  lockfile: string;
  /** `.env.example`, which lists what the programs read from their environment. */
  environmentExample: string;
}

/** A rule: returns each place that breaks it, as `path:line: sentence`. */
export type Rule = (repository: Repository) => string[];

const folders = ["apps", "packages", "tooling"] as const;

/** Configuration files at the root whose comments people read. */
const configurations = [
  { path: ".env.example", comment: /^# / },
  { path: ".oxlintrc.json", comment: /^ *\/\/ / },
  { path: ".ci/run", comment: /^# / },
];

/** Reads the repository for the rules. Nothing in it is run. */
export function readRepository(root: string): Repository {
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  const manifest = (path: string): Manifest => JSON.parse(text(path));
  const packages = folders.flatMap((folder) =>
    subdirectories(join(root, folder))
      .map((name) => `${folder}/${name}`)
      // A package that has moved leaves node_modules and dist behind, which git ignores.
      .filter((dir) => existsSync(join(root, dir, "package.json")))
      .map((dir): Package => {
        const packageManifest = manifest(`${dir}/package.json`);
        return {
          name: packageManifest.name,
          dir,
          folder,
          manifest: packageManifest,
          readme: existsSync(join(root, dir, "README.md")) ? text(`${dir}/README.md`) : undefined,
          sources: sourcePaths(root, dir).map((path) => readSource(path, text(path))),
        };
      }),
  );
  const documents = ["", ...packages.map(({ dir }) => `${dir}/`)]
    .flatMap((dir) => readdirSync(join(root, dir)).map((name) => dir + name))
    .filter((path) => path.endsWith(".md") && !path.endsWith("REFERENCE.md"));
  return {
    packages,
    documents: [
      ...documents.map((path) => ({ path, text: text(path) })),
      ...configurations
        .filter(({ path }) => existsSync(join(root, path)))
        .map(({ path, comment }) => ({ path, text: commentsOf(text(path), comment) })),
    ],
    workflows: filesIn(root, ".github/workflows").map((path) => ({ path, text: text(path) })),
    rootManifest: manifest("package.json"),
    lockfile: text("pnpm-lock.yaml"),
    environmentExample: text(".env.example"),
  };
}

/** The comments of a configuration file. Its other lines are empty, so that a line keeps its number. */
const commentsOf = (text: string, comment: RegExp): string =>
  text
    .split("\n")
    .map((line) => (comment.test(line) ? line.replace(comment, "") : ""))
    .join("\n");

const filesIn = (root: string, directory: string): string[] =>
  existsSync(join(root, directory))
    ? readdirSync(join(root, directory)).map((name) => `${directory}/${name}`)
    : [];

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
