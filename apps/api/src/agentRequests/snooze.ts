import type { SessionPrincipal } from "@grove/auth";
import { notification } from "@grove/db";
import type { AgentRequest } from "@grove/schemas";
import { sql } from "kysely";
import { requireOutput } from "../agentSessions/outputAccess";
import type { Services } from "../services";
import { readRequest } from "./row";
import { toAgentRequest } from "./toAgentRequest";

interface Snooze {
  organizationId: string;
  id: string;
  until?: string | null | undefined;
}

/** How long a request is snoozed that the caller gives no time for. */
const DEFAULT_SNOOZE = sql`interval '1 hour'`;

/**
 * Hides a request from the caller until a time; null shows it again. A settled request is not changed.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `role_required`
 */
export async function snoozeRequest(
  { database: { db } }: Pick<Services, "database">,
  principal: SessionPrincipal,
  { organizationId, id, until }: Snooze,
): Promise<AgentRequest> {
  const key = { organizationId, id };
  requireOutput(principal, await readRequest(db, key));
  // A past time ends the snooze, so no delete is needed.
  const time =
    until === undefined ? sql`now() + ${DEFAULT_SNOOZE}` : sql`coalesce(${until}::timestamptz, now())`;
  await sql`
    with marked as (
      insert into request_marks (organization_id, request_id, user_id, until)
      select organization_id, id, ${principal.user.id}::uuid, ${time} from agent_requests
      where organization_id = ${organizationId} and id = ${id} and status = 'open'
      on conflict (organization_id, request_id, user_id) do update set until = excluded.until
      returning organization_id)
    select ${notification("attention", sql`organization_id::text`)} as announced,
      ${notification("notification_due", sql`organization_id::text`)} as announced_due
    from marked`.execute(db);
  return toAgentRequest(await readRequest(db, key), principal);
}
