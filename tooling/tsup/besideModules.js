import { cp, mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Puts the files that the modules of a package load from beside themselves, as `new URL("./a.wasm", import.meta.url)`,
 * beside the program that they are bundled into.
 * @param {RegExp} modules the paths of the modules
 * @returns {NonNullable<import("tsup").Options["esbuildPlugins"]>[number]}
 */
export const besideModules = (modules) => ({
  name: "beside-modules",
  setup({ initialOptions, onLoad }) {
    const directory = resolve(initialOptions.outdir ?? "dist");
    onLoad({ filter: modules }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      /** @type {Set<string>} */
      const files = new Set();
      const contents = source.replace(
        /new URL\(\s*"((?:\.\.?\/)+[^"]+)",\s*import\.meta\.url\s*\)/g,
        (_, /** @type {string} */ file) => {
          files.add(resolve(dirname(path), file));
          return `new URL("./${basename(file)}", import.meta.url)`;
        },
      );
      await mkdir(directory, { recursive: true });
      for (const file of files) await cp(file, join(directory, basename(file)));
      return { contents, loader: "js" };
    });
  },
});
