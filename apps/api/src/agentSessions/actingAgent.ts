import { type DevicePrincipal, GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { stillHasAccess } from "../dispatch/stream/openRows";
import { type Requester, requesterOf } from "../lib/idempotency";
import { notFound } from "../lib/notFound";

/** An agent that acts in its workspace, with the rights of the person who started its session. */
export interface ActingAgent {
  organizationId: string;
  workspaceId: string;
  requester: Requester;
}

/**
 * Reads the workspace of a running session, and the person with whose rights its agent acts.
 * @throws {GroveError} NOT_FOUND for a session that is not this device's; PRECONDITION_FAILED `session_ended`,
 * `workspace_not_on_device`, and `requester_revoked` when the person has lost access
 */
export async function requireActingAgent(
  db: Kysely<Database>,
  { organizationId, deviceId }: DevicePrincipal,
  sessionId: string,
): Promise<ActingAgent> {
  const hasAccess = stillHasAccess(
    sql`agent_sessions.organization_id`,
    sql`agent_sessions.started_by`,
    sql`agent_sessions.started_with`,
  );
  const session = await db
    .selectFrom("agent_sessions")
    .select(["status", "workspace_id", "started_by", "started_with", hasAccess.as("has_access")])
    .where("organization_id", "=", organizationId)
    .where("id", "=", sessionId)
    .where("device_id", "=", deviceId)
    .executeTakeFirst();
  if (!session) throw notFound("agent session", sessionId);
  const { status, workspace_id: workspaceId, started_by: userId, started_with: startedWith } = session;
  if (status !== "running")
    throw new GroveError(
      "PRECONDITION_FAILED",
      `The agent session ${sessionId} has ended. Start another one.`,
      { reason: "session_ended" },
    );
  if (workspaceId === null)
    throw new GroveError(
      "PRECONDITION_FAILED",
      "The workspace of this agent session was deleted. Start a session in another workspace.",
      { reason: "workspace_not_on_device" },
    );
  if (userId === null || startedWith === null || !session.has_access)
    throw new GroveError(
      "PRECONDITION_FAILED",
      "The person who started this agent session has lost access, or their API key is no longer valid. Ask a member to start another one.",
      { reason: "requester_revoked" },
    );
  return { organizationId, workspaceId, requester: requesterOf(startedWith, { id: userId }) };
}
