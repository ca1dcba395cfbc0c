import { defineProgram } from "@grove/tsup";

// Everything goes into the one file, so that the tarball runs alone and starts fast. commander and pino are CommonJS
// and ask for node's own modules with `require`, which an ES module does not have by itself.
export default defineProgram({
  // node-pty is a native module: npm installs it beside the file, and it is loaded with the first agent session.
  noExternal: [/^(?!@lydell\/node-pty$)/],
  banner: {
    js: '#!/usr/bin/env node\nimport { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
  },
});
