import type { TRPCRouterRecord } from "@trpc/server";
import { auditProcedures } from "./auditEvents";
import { invitationProcedures } from "./invitations";
import { memberProcedures } from "./members";
import { organizationProcedures } from "./organization";
import { watchProcedures } from "./watch";

export const organizationRouter = {
  ...organizationProcedures,
  ...memberProcedures,
  ...invitationProcedures,
  ...auditProcedures,
  ...watchProcedures,
} satisfies TRPCRouterRecord;
