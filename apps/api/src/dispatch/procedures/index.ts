import type { TRPCRouterRecord } from "@trpc/server";
import { requestProcedures } from "../../agentRequests/procedures/requests";
import { sessionProcedures } from "../../agentSessions/procedures/sessions";
import { commandProcedures } from "./commands";
import { reportProcedures } from "./reports";

export const agentRouter = {
  ...commandProcedures,
  ...reportProcedures,
  ...sessionProcedures,
  ...requestProcedures,
} satisfies TRPCRouterRecord;
