import type { UserPrincipal } from "@grove/auth";
import type { AgentRequest } from "@grove/schemas";
import { mayReadOutput } from "../agentSessions/outputAccess";
import type { RequestRow } from "./row";

/** A request as the API returns it to the caller. Texts are for users who may read the session's output. */
export function toAgentRequest(row: RequestRow, caller: UserPrincipal): AgentRequest {
  const readsOutput = mayReadOutput(caller, row);
  return {
    id: row.id,
    sessionId: row.session_id,
    deviceId: row.device_id,
    kind: row.kind,
    tool: row.tool,
    title: readsOutput ? row.title : null,
    input: readsOutput ? row.input : null,
    questions: readsOutput ? row.questions : null,
    isAnswerable: row.is_answerable,
    scopes: row.scopes,
    askedAt: row.created_at,
    expiresAt: row.expires_at,
    status: row.status,
    decision: row.decision,
    scope: row.scope,
    answeredBy: row.answered_by,
    answeredAt: row.settled_at,
    delivery: row.delivery,
    snoozedUntil: row.snoozes?.[caller.user.id] ?? null,
  };
}
