import { definePackage, defineProgram } from "@grove/tsup";

export default [
  // Everything goes into the one file, so that the tarball runs alone and starts fast.
  defineProgram({
    entry: { main: "src/main.ts", opencode: "src/hooks/opencodePlugin.ts" },
    // node-pty is a native module: npm installs it beside the file, and it is loaded with the first agent session.
    noExternal: [/^(?!@lydell\/node-pty$)/],
    clean: ["!hook.cjs"],
  }),
  // Node starts a CommonJS module sooner, and an agent waits for its hooks (benchmark `attention`).
  definePackage({ entry: { hook: "src/hooks/helper.ts" }, format: "cjs", clean: false }),
];
