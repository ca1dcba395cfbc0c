import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";
import { common } from "../common.js";
import { evaluated } from "./evaluated.js";
import { makeCodeCache } from "./makeCodeCache.js";

/** @type {import("./evaluated.js").Plugin} The SDK imports ajv to check answers to elicitations, which Grove never asks for: a fifth of the bundle, never run. */
const withoutAjv = {
  name: "without-ajv",
  setup(build) {
    build.onResolve({ filter: /^ajv(-formats)?$/ }, ({ path }) => ({ path, namespace: "empty" }));
    build.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default undefined" }));
  },
};

/**
 * An MCP server: `src/main.ts` with everything inside to `dist/program.js`, V8's code cache of its start beside it, and
 * an executable `dist/main.js` that runs the one with the other. It starts about twice as fast as a module, in less
 * memory; packed, it runs alone.
 *
 * What `main.ts` reaches by `import()` is not run before it is asked for; a module named `*.static.ts` is run by the
 * build and replaced by its value.
 * @param {import("tsup").Options} options
 */
export const defineMcpServer = (options = {}) =>
  defineConfig({
    ...common,
    // V8's code cache is for scripts: there is none for modules in Node 20.
    format: "cjs",
    entry: { program: "src/main.ts", main: fileURLToPath(new URL("./main.js", import.meta.url)) },
    outExtension: () => ({ js: ".js" }),
    noExternal: [/.*/],
    esbuildPlugins: [evaluated([withoutAjv]), withoutAjv],
    // Without comments, which alone are not ASCII, the source takes half the memory. Names and lines stay readable.
    esbuildOptions(esbuild) {
      esbuild.minifyWhitespace = true;
      esbuild.lineLimit = 200;
      esbuild.legalComments = "none";
    },
    async onSuccess() {
      await writeFile("dist/package.json", '{ "type": "commonjs" }\n');
      await makeCodeCache("dist/program.js", "dist/program.cache");
    },
    ...options,
  });
