import { defineProgram } from "@grove/tsup";

// Everything goes into the one file, so that the tarball runs alone and starts fast.
export default defineProgram({
  entry: { main: "src/main.ts", hook: "src/hooks/helper.ts", opencode: "src/hooks/opencodePlugin.ts" },
  // node-pty is a native module: npm installs it beside the file, and it is loaded with the first agent session.
  noExternal: [/^(?!@lydell\/node-pty$)/],
});
