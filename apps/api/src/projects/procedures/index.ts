import type { TRPCRouterRecord } from "@trpc/server";
import { projectProcedures } from "./projects";
import { secretProcedures } from "./secrets";

export const projectRouter = {
  ...projectProcedures,
  ...secretProcedures,
} satisfies TRPCRouterRecord;
