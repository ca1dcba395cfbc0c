import { router } from "../../trpc/init";
import { auditProcedures } from "./auditEvents";
import { invitationProcedures } from "./invitations";
import { memberProcedures } from "./members";
import { organizationProcedures } from "./organization";

export const organizationRouter = router({
  ...organizationProcedures,
  ...memberProcedures,
  ...invitationProcedures,
  ...auditProcedures,
});
