import { auditEvent, organizationListAuditEventsInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { toAuditEvent } from "../row";

export const auditProcedures = {
  /** The organization's changes and who made them, newest first; `action` is a whole action name. */
  listAuditEvents: memberProcedure(organizationListAuditEventsInput, "admin")
    .output(output(z.array(auditEvent)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      let query = db
        .selectFrom("audit_events")
        .selectAll()
        .where("organization_id", "=", input.organizationId);
      if (input.action !== undefined) query = query.where("action", "=", input.action);
      return (await newestFirst(db, "audit_events", query, input)).map(toAuditEvent);
    }),
} satisfies TRPCRouterRecord;
