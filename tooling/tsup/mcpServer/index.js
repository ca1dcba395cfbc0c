import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";
import { common } from "../common.js";
import { licenses } from "../licenses.js";
import { pageScripts } from "../pageScripts.js";
import { evaluated } from "./evaluated.js";
import { makeCodeCache } from "./makeCodeCache.js";

/**
 * The SDK brings ajv to check answers to elicitations, which Grove never requests. It would be a third of the bundle
 * and never run.
 * @type {import("./evaluated.js").Plugin}
 */
const withoutAjv = {
  name: "without-ajv",
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: "shims",
    }));
    build.onLoad({ filter: /.*/, namespace: "shims" }, () => ({
      contents:
        'export { default as process } from "node:process"; export const DefaultJsonSchemaValidator = undefined;',
    }));
  },
};

/**
 * An MCP server: `src/main.ts` with all its modules becomes `dist/program.js`, with V8's code cache of its start beside
 * it, and an executable `dist/main.js` that runs the program with the cache. It starts about twice as fast as a module,
 * in less memory, and its tarball has no dependencies.
 *
 * A module that `main.ts` reaches by `import()` runs only when it is imported. The build runs a module named
 * `*.static.ts` and replaces it by its value.
 * @param {import("tsup").Options} options
 */
export const defineMcpServer = (options = {}) =>
  defineConfig({
    ...common,
    // A script, since Node 20 has no code cache for modules.
    format: "cjs",
    entry: { program: "src/main.ts", main: fileURLToPath(new URL("./main.js", import.meta.url)) },
    outExtension: () => ({ js: ".js" }),
    noExternal: [/.*/],
    esbuildPlugins: [evaluated([withoutAjv, pageScripts]), withoutAjv, pageScripts, licenses],
    // Only comments are not ASCII. Without them, the source takes half the memory. Names and lines stay readable.
    esbuildOptions(esbuild) {
      esbuild.minifyWhitespace = true;
      esbuild.lineLimit = 200;
      esbuild.legalComments = "none";
      // A script with a code cache has no import(): what is left of it, for modules of Node, becomes a require.
      esbuild.supported = { ...esbuild.supported, "dynamic-import": false };
    },
    async onSuccess() {
      await writeFile("dist/package.json", '{ "type": "commonjs" }\n');
      await makeCodeCache("dist/program.js", "dist/program.cache");
    },
    ...options,
  });
