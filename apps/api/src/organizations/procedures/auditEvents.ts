import { auditEvent, organizationListAuditEventsInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { listAuditEvents } from "../auditEvents";

export const auditProcedures = {
  /**
   * The organization's changes and who made them, newest first; `action` is a whole action name. Changes made with an
   * API key or by a device have its id as the actor's, not its owner's.
   */
  listAuditEvents: memberProcedure(organizationListAuditEventsInput, "admin")
    .output(output(z.array(auditEvent)))
    .query(({ ctx, input }) => listAuditEvents(ctx.services, input)),
} satisfies TRPCRouterRecord;
