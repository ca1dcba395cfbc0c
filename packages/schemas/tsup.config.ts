import { definePackage, makeShakable } from "@grove/tsup";

export default definePackage({ onSuccess: () => makeShakable("dist/index.js") });
