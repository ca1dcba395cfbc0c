import type { TRPCRouterRecord } from "@trpc/server";
import { deviceProcedures } from "./devices";
import { machineProcedures } from "./machine";
import { ownerProcedures } from "./owner";

export const deviceRouter = {
  ...deviceProcedures,
  ...ownerProcedures,
  ...machineProcedures,
} satisfies TRPCRouterRecord;
