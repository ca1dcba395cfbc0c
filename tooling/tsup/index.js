import { defineConfig } from "tsup";
import { common } from "./common.js";

export { defineMcpServer } from "./mcpServer/index.js";
export { makeShakable } from "./shakable.js";

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
