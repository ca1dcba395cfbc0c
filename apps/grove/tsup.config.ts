import { defineProgram } from "@grove/tsup";

export default defineProgram({
  entry: { main: "src/main.ts", exitWithParent: "src/run/exitWithParent.js" },
});
