import { defineProgram } from "@grove/tsup";

export default defineProgram({ entry: { main: "src/main.ts", thread: "src/cli/thread.ts" } });
