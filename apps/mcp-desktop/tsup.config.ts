import { defineProgram } from "@grove/tsup";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** The SDK imports ajv to check answers to elicitations, which Grove never asks for: a fifth of the bundle, never run. */
const withoutAjv: Plugin = {
  name: "without-ajv",
  setup(build) {
    build.onResolve({ filter: /^ajv(-formats)?$/ }, ({ path }) => ({ path, namespace: "empty" }));
    build.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default undefined" }));
  },
};

// One file with everything inside: it starts sooner than a tree of modules, and a packed tarball runs by itself.
export default defineProgram({ noExternal: [/.*/], esbuildPlugins: [withoutAjv] });
