import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

const NAMESPACE = "lazy-common-js";

/**
 * Gives a CommonJS module that is imported by `import()` the same named exports as Node gives it. In a bundle that is
 * split, esbuild would give it a default export alone.
 * @type {NonNullable<import("tsup").Options["esbuildPlugins"]>[number]}
 */
export const lazyCommonJs = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== "dynamic-import" || pluginData === NAMESPACE) return undefined;
      const {
        path: file,
        external,
        errors,
      } = await build.resolve(path, { kind, resolveDir, pluginData: NAMESPACE });
      if (external || errors.length > 0 || !(await isCommonJs(file))) return undefined;
      return { path: file, namespace: NAMESPACE };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
      const exported = Object.keys(createRequire(path)(path)).filter((name) => /^[\w$]+$/.test(name));
      const names = exported.filter((name) => name !== "default").join(", ");
      const contents = `const all = require(${JSON.stringify(path)});\nexport default all;\nexport const { ${names} } = all;`;
      return { contents, loader: "js", resolveDir: join(path, "..") };
    });
  },
};

/** @param {string} file */
async function isCommonJs(file) {
  if (extname(file) !== ".js") return extname(file) === ".cjs";
  const [directory = ""] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? [];
  if (directory === "") return false;
  return JSON.parse(await readFile(join(directory, "package.json"), "utf8")).type !== "module";
}
