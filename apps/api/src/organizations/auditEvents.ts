import type { AuditEvent, OrganizationListAuditEventsInput } from "@grove/schemas";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { toAuditEvent } from "./row";

/** Reads a page of an organization's audit events, newest first. */
export async function listAuditEvents(
  { database }: Pick<Services, "database">,
  input: OrganizationListAuditEventsInput,
): Promise<AuditEvent[]> {
  const { db } = database;
  const { organizationId, action, actorId } = input;
  let query = db.selectFrom("audit_events").selectAll().where("organization_id", "=", organizationId);
  if (action !== undefined) query = query.where("action", "=", action);
  if (actorId !== undefined) query = query.where("actor_id", "=", actorId);
  return (await newestFirst(db, "audit_events", query, input)).map(toAuditEvent);
}
