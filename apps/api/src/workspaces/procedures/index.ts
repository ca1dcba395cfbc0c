import type { TRPCRouterRecord } from "@trpc/server";
import { pointProcedures } from "./points";
import { workspaceProcedures } from "./workspaces";

export const workspaceRouter = {
  ...workspaceProcedures,
  ...pointProcedures,
} satisfies TRPCRouterRecord;
