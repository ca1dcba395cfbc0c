import { GroveError } from "@grove/auth";
import type { AgentSessionTable, Database } from "@grove/db";
import type { Activity, AgentSession } from "@grove/schemas";
import { type Kysely, type Selectable, sql } from "kysely";
import { notFound } from "../lib/notFound";
import { lineText } from "./lineText";

export type SessionRow = Selectable<AgentSessionTable>;

/**
 * An agent session's row as the API returns it.
 * @param readsOutput whether the caller may read what it printed (`mayReadOutput`)
 */
export const toAgentSession = (row: SessionRow, readsOutput: boolean): AgentSession => ({
  id: row.id,
  deviceId: row.device_id,
  workspaceId: row.workspace_id,
  taskId: row.task_id,
  agent: row.agent,
  name: readsOutput ? row.name : null,
  lastLine: readsOutput ? lineText(row.last_line ?? "") : null,
  status: row.status,
  waitingForInput: row.waiting_for_input,
  questionText: readsOutput ? row.question_text : null,
  screen: readsOutput ? row.screen : null,
  activity: activityOf(row, readsOutput),
  exitCode: row.exit_code,
  error: row.error,
  startedBy: row.started_by,
  startedAt: row.created_at,
  endedAt: row.ended_at,
});

const activityOf = (row: SessionRow, readsOutput: boolean): Activity | null =>
  row.activity === null || row.activity_since === null || row.activity_source === null
    ? null
    : {
        state: row.activity,
        since: row.activity_since,
        source: row.activity_source,
        detail: readsOutput ? row.activity_detail : null,
        limitedUntil: row.limited_until,
      };

export interface SessionOnDevice extends SessionRow {
  device_owner_id: string;
  device_shared: boolean;
}

/** For lists: the column that `mayReadOutput` needs besides the session's own. */
export const ownerOfDevice = sql<string>`(select owner_id from devices
  where devices.organization_id = agent_sessions.organization_id and devices.id = agent_sessions.device_id)`.as(
  "device_owner_id",
);

export interface SessionKey {
  organizationId: string;
  id: string;
}

/** @throws {GroveError} NOT_FOUND */
export async function readSession(
  db: Kysely<Database>,
  { organizationId, id }: SessionKey,
): Promise<SessionRow> {
  const row = await db
    .selectFrom("agent_sessions")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("agent session", id);
  return row;
}

const sessionsOnDevices = (db: Kysely<Database>, organizationId: string) =>
  db
    .selectFrom("agent_sessions")
    .innerJoin("devices", (join) =>
      join
        .onRef("devices.organization_id", "=", "agent_sessions.organization_id")
        .onRef("devices.id", "=", "agent_sessions.device_id"),
    )
    .selectAll("agent_sessions")
    .select(["devices.owner_id as device_owner_id", "devices.shared as device_shared"])
    .where("agent_sessions.organization_id", "=", organizationId);

/**
 * The session, and the owner of the device it runs on.
 * @throws {GroveError} NOT_FOUND
 */
export async function readSessionOnDevice(
  db: Kysely<Database>,
  { organizationId, id }: SessionKey,
): Promise<SessionOnDevice> {
  const row = await sessionsOnDevices(db, organizationId)
    .where("agent_sessions.id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("agent session", id);
  return row;
}

/**
 * The sessions in the order of their ids, each as {@link readSessionOnDevice} returns it.
 * @throws {GroveError} NOT_FOUND if one does not exist
 */
export async function readSessionsOnDevices(
  db: Kysely<Database>,
  organizationId: string,
  ids: readonly string[],
): Promise<SessionOnDevice[]> {
  const rows = await sessionsOnDevices(db, organizationId).where("agent_sessions.id", "in", ids).execute();
  const rowById = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = rowById.get(id);
    if (!row) throw notFound("agent session", id);
    return row;
  });
}

/** The error for a start_agent_session command that the device does not have. */
export const startNotFound = (commandId: string) =>
  new GroveError("NOT_FOUND", `This device has no start_agent_session command ${commandId}.`);
