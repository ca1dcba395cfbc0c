import { definePackage } from "@grove/tsup";

export default definePackage({ entry: ["src/index.ts", "src/widths.ts"] });
