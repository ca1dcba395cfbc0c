import { open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Names that only tools create, for content that they make again from a manifest or sources. */
const NAMES = /^(node_modules|__pycache__)$/;
const FILES = /^(\.DS_Store|Thumbs\.db|\.eslintcache|\.stylelintcache)$|\.(pyc|pyo|o|tsbuildinfo)$/;

/** The output and dependency directories of a tool, each beside the manifest from which it makes them. */
const BESIDE: [manifest: RegExp, directory: RegExp][] = [
  [
    /^package\.json$/,
    /^(dist|build|out|coverage|storybook-static|\.(next|nuxt|svelte-kit|turbo|vite|angular|parcel-cache))$/,
  ],
  [/^(Cargo\.toml|pom\.xml)$/, /^target$/],
  [/^(build|settings)\.gradle(\.kts)?$/, /^(build|\.gradle)$/],
  [/^(composer\.json|go\.mod)$/, /^vendor$/],
  [/\.(cs|fs|vb)proj$/, /^(bin|obj)$/],
  [/^mix\.exs$/, /^(_build|deps)$/],
  [/^Podfile$/, /^Pods$/],
  [/^(pyproject\.toml|setup\.(py|cfg))$/, /^(build|dist|\.tox|\.nox|.+\.egg-info)$/],
];

/** Files that mark a directory as a tool's own: a Python environment, or a CMake build. */
const INSIDE = /^(pyvenv\.cfg|CMakeCache\.txt)$/;

/** https://bford.info/cachedir/, as written by cargo, pytest, mypy, ruff and many others. */
const CACHE_TAG = "CACHEDIR.TAG";
const CACHE_SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55";

/** Whether a tool makes a file again by itself, judging by its name. */
export const isRegenerableFile = (path: string): boolean => FILES.test(basename(path));

/**
 * Whether a tool makes a directory again: by its name, by the manifest beside it, or by the tool's own mark in it. A
 * directory without any of these may hold someone's only copy.
 */
export async function isRegenerable(directory: string): Promise<boolean> {
  const name = basename(directory);
  if (NAMES.test(name)) return true;
  const manifests = BESIDE.filter(([, made]) => made.test(name)).map(([manifest]) => manifest);
  if (manifests.length > 0) {
    const beside = await namesIn(dirname(directory));
    if (manifests.some((manifest) => beside.some((file) => manifest.test(file)))) return true;
  }
  const inside = await namesIn(directory);
  if (inside.some((file) => INSIDE.test(file))) return true;
  return inside.includes(CACHE_TAG) && (await isCacheTag(join(directory, CACHE_TAG)));
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

async function isCacheTag(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CACHE_SIGNATURE.length));
    return buffer.toString("latin1", 0, bytesRead) === CACHE_SIGNATURE;
  } finally {
    await file.close();
  }
}
