import { auditEvent, organizationListAuditEventsInput } from "@grove/schemas";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";

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
      return (await newestFirst(db, "audit_events", query, input)).map((row) => ({
        id: row.id,
        actorId: row.actor_id,
        actorKind: row.actor_kind,
        action: row.action,
        targetType: row.target_type,
        targetId: row.target_id,
        metadata: row.metadata,
        createdAt: row.created_at,
      }));
    }),
};
