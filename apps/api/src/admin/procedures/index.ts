import type { TRPCRouterRecord } from "@trpc/server";
import { organizationProcedures } from "./organizations";
import { statsProcedures } from "./stats";
import { userProcedures } from "./users";

/** The view and the actions of site admins, across all organizations. */
export const adminRouter = {
  ...userProcedures,
  ...organizationProcedures,
  ...statsProcedures,
} satisfies TRPCRouterRecord;
