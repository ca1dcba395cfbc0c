import { definePackage } from "@grove/tsup";

export default definePackage();
