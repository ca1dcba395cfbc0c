import type { TRPCRouterRecord } from "@trpc/server";
import { workspaceProcedures } from "./workspaces";

export const workspaceRouter = {
  ...workspaceProcedures,
} satisfies TRPCRouterRecord;
