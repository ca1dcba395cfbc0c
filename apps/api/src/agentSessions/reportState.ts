import type { DevicePrincipal } from "@grove/auth";
import { notification } from "@grove/db";
import { type AgentReportSessionInput, REQUEST_EXPIRES_MS } from "@grove/schemas";
import { sql } from "kysely";
import { milliseconds } from "../lib/interval";
import { enqueueNotifications } from "../notifications/enqueue";
import type { Services } from "../services";

type StateReport = Extract<AgentReportSessionInput, { type: "state" }>;

/**
 * Records the activity and the open requests of a session's agent, in one statement. Requests that are no longer open
 * on the device were answered in the terminal. Work that was reported as finished continues with a turn that began
 * later: a working agent has been working since its turn began, unless that is a guess from its screen. The
 * notification reaches the watchers of the organization on every process.
 * @returns false if a newer report has already been recorded
 */
export async function recordState(
  { database }: Pick<Services, "database">,
  { organizationId, deviceId }: DevicePrincipal,
  report: StateReport,
): Promise<boolean> {
  const { id, number, state, source, ageMs, detail, limitedUntil, requests } = report;
  const askedAt = sql`now() - ${milliseconds(sql.ref("ageMs"))}`;
  const { rows } = await sql`
    with session as (
      update agent_sessions
      set activity = ${state}, activity_source = ${source}, activity_since = now() - ${milliseconds(sql`${ageMs}`)},
        activity_detail = ${detail ?? null}, activity_number = ${number}, limited_until = ${limitedUntil ?? null}
      where organization_id = ${organizationId} and id = ${id} and device_id = ${deviceId} and status = 'running'
        and activity_number < ${number}
      returning organization_id, id, device_id, workspace_id, activity_since),
    resumed as (
      update changes set finished_at = null, summary = null, tests = '{}', updated_at = now()
      from session
      where ${state === "working" && source !== "screen"} and changes.organization_id = session.organization_id
        and changes.workspace_id = session.workspace_id and finished_at < activity_since),
    asked as (
      insert into agent_requests (organization_id, id, session_id, device_id, kind, tool, title, input, questions,
        is_answerable, scopes, created_at, expires_at)
      select organization_id, asked.id, session.id, device_id, kind, tool, title, input, questions, "isAnswerable",
        scopes, ${askedAt}, ${askedAt} + ${milliseconds(REQUEST_EXPIRES_MS)}
      from session cross join jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) as asked (
        id uuid, kind text, tool text, title text, input text, questions jsonb, "isAnswerable" boolean, scopes text[],
        "ageMs" float8)
      on conflict (organization_id, id) do update set is_answerable = excluded.is_answerable
        where agent_requests.session_id = excluded.session_id and agent_requests.status = 'open'),
    settled as (
      update agent_requests set status = 'answered_there', settled_at = now()
      from session
      where agent_requests.organization_id = ${organizationId} and session_id = session.id and status = 'open'
        and agent_requests.id <> all(${requests.map((request) => request.id)}::uuid[]))
    select ${notification("session_changed", sql`id::text`)} as announced,
      ${notification("attention", sql`organization_id::text`)} as announced_attention
    from session
  `.execute(database.db);
  // After a repeated report, too: the process may have ended in between.
  await enqueueNotifications(database.db, { ...report, organizationId });
  return rows.length > 0;
}
