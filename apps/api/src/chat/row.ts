import { GroveError } from "@grove/auth";
import type { ChatMessageTable, ChatSessionTable, Database } from "@grove/db";
import type { ChatMessage, ChatSession } from "@grove/schemas";
import type { Kysely, Selectable } from "kysely";

/** A chat session's row as the API returns it. */
export const toChatSession = (row: Selectable<ChatSessionTable>): ChatSession => ({
  id: row.id,
  title: row.title,
  workspaceId: row.workspace_id,
  agentSessionId: row.agent_session_id,
  createdBy: row.created_by,
  lastActiveAt: row.last_active_at,
  createdAt: row.created_at,
});

/** @throws {GroveError} NOT_FOUND */
export async function readChatSession(
  db: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<Selectable<ChatSessionTable>> {
  const row = await db
    .selectFrom("chat_sessions")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw chatSessionNotFound(id);
  return row;
}

export const chatSessionNotFound = (id: string) =>
  new GroveError("NOT_FOUND", `There is no chat session ${id}. List them with chat.listSessions.`);

/** A chat message's row as the API returns it. */
export const toChatMessage = (row: Selectable<ChatMessageTable>): ChatMessage => ({
  id: row.id,
  role: row.role,
  authorId: row.author_id,
  text: row.text,
  createdAt: row.created_at,
});
