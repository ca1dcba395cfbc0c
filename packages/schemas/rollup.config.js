import { defineTypes } from "@grove/tsup/types";

export default defineTypes({ entry: "packages/schemas/src/index.d.ts" });
