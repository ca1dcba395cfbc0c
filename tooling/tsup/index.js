import { defineConfig } from "tsup";

/** @type {import("tsup").Options} */
const common = {
  format: "esm",
  platform: "node",
  target: "node20",
  // Declarations are made by tsc: tsup's own emitter needs the JavaScript API that TypeScript 7 does not have.
  dts: false,
  clean: true,
  splitting: false,
  silent: true,
  // Workspace packages are consumed as source, so that nothing has to be built before a test or `turbo dev`.
  noExternal: [/^@grove\//],
};

/**
 * A package: `src/index.ts` (or the entries given) to `dist`, with its workspace dependencies inside.
 * @param {import("tsup").Options} options
 */
export const definePackage = (options = {}) =>
  defineConfig({ ...common, entry: ["src/index.ts"], ...options });

/**
 * A program: `src/main.ts` to an executable `dist/main.js`, with its workspace dependencies inside.
 * @param {import("tsup").Options} options
 */
export const defineProgram = (options = {}) =>
  defineConfig({ ...common, entry: ["src/main.ts"], banner: { js: "#!/usr/bin/env node" }, ...options });
