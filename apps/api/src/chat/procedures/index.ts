import type { TRPCRouterRecord } from "@trpc/server";
import { messageProcedures } from "./messages";
import { sessionProcedures } from "./sessions";

export const chatRouter = {
  ...sessionProcedures,
  ...messageProcedures,
} satisfies TRPCRouterRecord;
