import { defineProgram } from "@grove/tsup";

export default defineProgram();
