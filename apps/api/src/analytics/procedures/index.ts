import type { TRPCRouterRecord } from "@trpc/server";
import { reportProcedures } from "./reports";
import { trackProcedures } from "./track";

export const analyticsRouter = {
  ...trackProcedures,
  ...reportProcedures,
} satisfies TRPCRouterRecord;
