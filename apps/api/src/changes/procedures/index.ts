import type { TRPCRouterRecord } from "@trpc/server";
import { actionProcedures } from "./actions";
import { pullProcedures } from "./pulls";
import { recordProcedures } from "./records";

export const changeRouter = {
  ...recordProcedures,
  ...actionProcedures,
  ...pullProcedures,
} satisfies TRPCRouterRecord;
