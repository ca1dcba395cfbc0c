import type { AgentRequestTable, Database } from "@grove/db";
import type { AnswerDelivery } from "@grove/schemas";
import { type Kysely, type Selectable, sql } from "kysely";
import { ownerOfDevice } from "../agentSessions/row";
import { notFound } from "../lib/notFound";

/** A request, with the fields of its session that decide who may read it, and the state of its delivery. */
export interface RequestRow extends Selectable<AgentRequestTable> {
  started_by: string | null;
  device_owner_id: string;
  delivery: AnswerDelivery | null;
  /** The users who snoozed the request, with the end of each snooze. */
  snoozes: Readonly<Record<string, string>> | null;
}

/** The state of the command that gives the answer to the device. Commands are kept longer than requests are open. */
const delivery = sql<AnswerDelivery | null>`case when command_id is null then null else coalesce((
  select case
    when command.status in ('queued', 'claimed', 'running') then 'pending'
    when command.status = 'succeeded' then 'delivered'
    when command.error ->> 'reason' in ('request_gone', 'no_such_session') then 'gone'
    when command.status in ('expired', 'canceled') then 'failed'
    else 'unknown' end
  from device_commands as command
  where command.organization_id = agent_requests.organization_id and command.id = command_id), 'unknown') end`.as(
  "delivery",
);

/** Times as the API returns them, since JSON has no other format for them. */
const snoozes = sql<RequestRow["snoozes"]>`(
  select jsonb_object_agg(mark.user_id, to_char(mark.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from request_marks as mark
  where mark.organization_id = agent_requests.organization_id and mark.request_id = agent_requests.id
    and mark.until > now() and agent_requests.status = 'open')`.as("snoozes");

/** Requests of an organization, with {@link RequestRow}'s columns. */
export const requestsIn = (db: Kysely<Database>, organizationId: string) =>
  db
    .selectFrom("agent_requests")
    .innerJoin("agent_sessions", (join) =>
      join
        .onRef("agent_sessions.organization_id", "=", "agent_requests.organization_id")
        .onRef("agent_sessions.id", "=", "agent_requests.session_id"),
    )
    .selectAll("agent_requests")
    .select(["agent_sessions.started_by", ownerOfDevice, delivery, snoozes])
    .where("agent_requests.organization_id", "=", organizationId);

/** @throws {GroveError} NOT_FOUND */
export async function readRequest(
  db: Kysely<Database>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<RequestRow> {
  const row = await requestsIn(db, organizationId).where("agent_requests.id", "=", id).executeTakeFirst();
  if (row) return row;
  throw notFound("agent request", id);
}
