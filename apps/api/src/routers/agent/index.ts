import type { TRPCRouterRecord } from "@trpc/server";
import { commandProcedures } from "./commands";
import { reportProcedures } from "./reports";
import { sessionProcedures } from "./sessions";

export const agentRouter = {
  ...commandProcedures,
  ...reportProcedures,
  ...sessionProcedures,
} satisfies TRPCRouterRecord;
