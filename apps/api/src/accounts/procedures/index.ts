import type { TRPCRouterRecord } from "@trpc/server";
import { notificationProcedures } from "../../notifications/procedures";
import { accountProcedures } from "./account";
import { sessionProcedures } from "./sessions";

export const userRouter = {
  ...accountProcedures,
  ...sessionProcedures,
  ...notificationProcedures,
} satisfies TRPCRouterRecord;
