import type { TRPCRouterRecord } from "@trpc/server";
import { accountProcedures } from "./account";
import { sessionProcedures } from "./sessions";

export const userRouter = {
  ...accountProcedures,
  ...sessionProcedures,
} satisfies TRPCRouterRecord;
