import { definePackage } from "@grove/tsup";

export default definePackage({ entry: ["src/index.ts", "src/lines.ts", "src/widths.ts"] });
