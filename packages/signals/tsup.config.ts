import { definePackage } from "@grove/tsup";

export default definePackage({ entry: ["src/index.ts", "src/backoff.ts", "src/retry.ts"] });
