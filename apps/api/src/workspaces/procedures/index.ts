import type { TRPCRouterRecord } from "@trpc/server";
import { changeRouter } from "../../changes/procedures";
import { reviewRouter } from "../../reviews/procedures";
import { pointProcedures } from "./points";
import { workspaceProcedures } from "./workspaces";

export const workspaceRouter = {
  ...workspaceProcedures,
  ...pointProcedures,
  change: changeRouter,
  review: reviewRouter,
} satisfies TRPCRouterRecord;
