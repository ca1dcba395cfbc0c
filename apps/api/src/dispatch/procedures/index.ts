import type { TRPCRouterRecord } from "@trpc/server";
import { sessionProcedures } from "../../agentSessions/procedures/sessions";
import { commandProcedures } from "./commands";
import { reportProcedures } from "./reports";

export const agentRouter = {
  ...commandProcedures,
  ...reportProcedures,
  ...sessionProcedures,
} satisfies TRPCRouterRecord;
