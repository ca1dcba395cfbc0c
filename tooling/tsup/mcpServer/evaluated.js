import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** @typedef {NonNullable<import("tsup").Options["esbuildPlugins"]>[number]} Plugin */

/**
 * Leaves out what is imported later, which no value at build time needs. esbuild would also forget to initialize zod
 * where one module imports it immediately and another one later.
 * @type {Plugin}
 */
const withoutLater = {
  name: "without-later",
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/**
 * Runs modules named `*.static.ts` when the program is built, and puts the JSON of their exports into the program. When
 * run from source, as by the tests, they are ordinary modules.
 * @param {Plugin[]} plugins the plugins to bundle them with
 * @returns {Plugin}
 */
export const evaluated = (plugins) => ({
  name: "evaluated",
  setup({ esbuild, onLoad }) {
    onLoad({ filter: /\.static\.ts$/ }, async ({ path }) => {
      const directory = await mkdtemp(join(tmpdir(), "grove-static-"));
      try {
        const outfile = join(directory, "module.mjs");
        await esbuild.build({
          entryPoints: [path],
          outfile,
          bundle: true,
          platform: "node",
          format: "esm",
          plugins: [withoutLater, ...plugins],
          // CommonJS packages in this ES module call `require` for Node's own modules.
          banner: {
            js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
          },
        });
        const exported = await import(pathToFileURL(outfile).href);
        const lines = Object.entries(exported).map(
          ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
        );
        return { contents: lines.join("\n"), loader: "js" };
      } finally {
        await rm(directory, { recursive: true });
      }
    });
  },
});
