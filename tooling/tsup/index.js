import { defineConfig } from "tsup";
import { common } from "./common.js";
import { lazyCommonJs } from "./lazyCommonJs.js";
import { licenses } from "./licenses.js";

export { besideModules } from "./besideModules.js";
export { defineMcpServer } from "./mcpServer/index.js";
export { makeShakable } from "./shakable.js";

/**
 * A package: `src/index.ts` (or the entries given) to `dist`, with its workspace dependencies inside.
 * @param {import("tsup").Options} options
 */
export const definePackage = (options = {}) =>
  defineConfig({ ...common, entry: ["src/index.ts"], ...options });

// Modules in CommonJS ask for node's own with `require`, which an ES module does not have by itself.
const banner =
  '#!/usr/bin/env node\nimport { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);';

/**
 * A program: `src/main.ts` to an executable `dist/main.js`, with its workspace dependencies inside.
 * @param {import("tsup").Options} options
 */
export const defineProgram = ({ esbuildPlugins = [], ...options } = {}) =>
  defineConfig({
    ...common,
    entry: ["src/main.ts"],
    banner: { js: banner },
    esbuildPlugins: [lazyCommonJs, licenses, ...esbuildPlugins],
    ...options,
  });
