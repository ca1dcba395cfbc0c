import { defineProgram } from "@grove/tsup";

export default defineProgram({
  entry: { main: "src/main.ts", leash: "src/run/leash.js" },
});
