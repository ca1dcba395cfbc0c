import type { TRPCRouterRecord } from "@trpc/server";
import { auditProcedures } from "./auditEvents";
import { invitationProcedures } from "./invitations";
import { memberProcedures } from "./members";
import { organizationProcedures } from "./organization";

export const organizationRouter = {
  ...organizationProcedures,
  ...memberProcedures,
  ...invitationProcedures,
  ...auditProcedures,
} satisfies TRPCRouterRecord;
