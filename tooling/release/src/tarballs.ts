import { cp, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { succeed } from "@grove/testing/process";
import { scope } from "../manifest.mjs";

const root = join(import.meta.dirname, "../../..");
const pack = fileURLToPath(new URL("../pack.js", import.meta.url));

/** The fields of a manifest that the tests read. */
interface Manifest {
  name: string;
  version: string;
  bin?: Record<string, string>;
  exports?: Record<string, string | Record<string, string>>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  [field: string]: unknown;
}

export interface Tarball {
  path: string;
  manifest: Manifest;
  /** The tarball's files, by their paths in the package. */
  files: string[];
}

const environment = { PATH: process.env.PATH, HOME: process.env.HOME };

/** Packs what is published into a directory. Returns each tarball by the folder of its package, such as `apps/api`. */
export async function packAll(folders: readonly string[], directory: string): Promise<Map<string, Tarball>> {
  await succeed([process.execPath, pack, directory], { env: environment });
  const tarballs = folders.map(async (folder): Promise<[string, Tarball]> => {
    const { version } = await readManifest(join(root, folder));
    const path = join(directory, `${scope.slice(1)}-${basename(folder)}-${version}.tgz`);
    const tar = (...args: string[]) => succeed(["tar", ...args], { env: environment });
    const listed = await tar("-tzf", path);
    const manifest: Manifest = JSON.parse(await tar("-xzOf", path, "package/package.json"));
    return [
      folder,
      {
        path,
        manifest,
        files: listed
          .trim()
          .split("\n")
          .map((file) => file.replace(/^package\//, "")),
      },
    ];
  });
  return new Map(await Promise.all(tarballs));
}

const readManifest = async (directory: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(directory, "package.json"), "utf8"));

/**
 * Packs what npm installs beside the package of a folder into a directory, from where the repository has it installed:
 * that is what this platform needs. Returns the tarballs.
 */
export async function packDependencies(
  folder: string,
  { manifest }: Tarball,
  directory: string,
): Promise<string[]> {
  const places = [...(await closure(await realpath(join(root, folder)), manifest))];
  return Promise.all(
    places.map(async (place) => {
      const { name, version } = await readManifest(place);
      const copy = join(directory, `${name.replace(/\W+/g, "-")}-${version}`);
      // pnpm makes equal files one, and npm does not unpack links.
      await cp(place, copy, { recursive: true });
      const tarball = `${copy}.tgz`;
      // npm drops the first part of each path in a tarball.
      await succeed(["tar", "-czf", tarball, "-C", copy, "."], { env: environment });
      return tarball;
    }),
  );
}

/** The directories of all packages that a manifest asks for, and of those that they ask for. */
async function closure(from: string, manifest: Manifest, found = new Set<string>()): Promise<Set<string>> {
  const peers = Object.keys(manifest.peerDependencies ?? {})
    // A peer of tRPC that a project has if it uses the types.
    .filter((name) => name !== "typescript" && !manifest.peerDependenciesMeta?.[name]?.optional);
  const others = { ...manifest.dependencies, ...manifest.optionalDependencies };
  for (const name of [...Object.keys(others), ...peers]) {
    const place = await installedFrom(from, name);
    if (place === undefined || found.has(place)) continue;
    found.add(place);
    await closure(place, await readManifest(place), found);
  }
  return found;
}

/** Where Node finds a package; undefined for one that is only for another platform. */
async function installedFrom(directory: string, name: string): Promise<string | undefined> {
  const place = await realpath(join(directory, "node_modules", name)).catch(() => undefined);
  if (place !== undefined || dirname(directory) === directory) return place;
  return installedFrom(dirname(directory), name);
}
