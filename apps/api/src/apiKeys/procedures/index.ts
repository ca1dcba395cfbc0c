import type { TRPCRouterRecord } from "@trpc/server";
import { keyProcedures } from "./keys";

export const apiKeyRouter = {
  ...keyProcedures,
} satisfies TRPCRouterRecord;
