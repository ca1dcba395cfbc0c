import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { dts } from "rollup-plugin-dts";

/** The declarations that `tsc -p tsconfig.types.json` has emitted, by each source file's path from the root. */
const emitted = resolve("dist/types");

/**
 * Bundles the declarations that tsc emitted into `dist/index.d.ts`, including those of workspace packages, which users
 * of the tarball do not have. tsup's own declarations need a JavaScript API that TypeScript 7 does not have; rollup's
 * plugin brings TypeScript 6 for it.
 * @param {{ entry: string, replace?: Record<string, string> }} options `entry`: the declarations to begin with, by
 * their
 *   path from the root. `replace`: simpler declarations for files with types that are of no use outside.
 * @returns {import("rollup").RollupOptions}
 */
export const defineTypes = ({ entry, replace = {} }) => ({
  input: resolve(emitted, entry),
  output: { file: "dist/index.d.ts" },
  external: (id) => /^[^./]/.test(id) && !id.startsWith("@grove/"),
  plugins: [workspacePackages, withReplacements(replace), dts(), removeEmitted],
  onwarn: (warning) => {
    throw new Error(warning.message);
  },
});

/** @type {import("rollup").Plugin} */
const workspacePackages = {
  name: "workspace-packages",
  resolveId(id) {
    const [, name, path = "index"] = /^@grove\/([^/]+)(?:\/(.*))?$/.exec(id) ?? [];
    if (!name) return null;
    const files = ["packages", "apps"].map((folder) => resolve(emitted, folder, name, "src", `${path}.d.ts`));
    return files.find((file) => existsSync(file));
  },
};

/**
 * @param {Record<string, string>} replace
 * @returns {import("rollup").Plugin}
 */
const withReplacements = (replace) => ({
  name: "replacements",
  load: (id) => Object.entries(replace).find(([path]) => id === resolve(emitted, path))?.[1],
});

/** @type {import("rollup").Plugin} */
const removeEmitted = {
  name: "remove-emitted",
  writeBundle: () => rmSync(emitted, { recursive: true }),
};
