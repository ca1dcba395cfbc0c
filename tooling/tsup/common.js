/** @type {import("tsup").Options} */
export const common = {
  format: "esm",
  platform: "node",
  target: "node20",
  // tsc emits the declarations, since tsup's own emitter needs a JavaScript API that TypeScript 7 does not have.
  dts: false,
  clean: true,
  splitting: false,
  silent: true,
  // Workspace packages are used as source, so that nothing has to be built before a test or `turbo dev`.
  noExternal: [/^@grove\//],
};
