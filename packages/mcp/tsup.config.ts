import { definePackage } from "@grove/tsup";

export default definePackage({ entry: { index: "src/index.ts", http: "src/http/index.ts" } });
