import { recordAudit, type UserPrincipal } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import type {
  ChatCreateSessionInput,
  ChatDeleteSessionInput,
  ChatEvent,
  ChatListSessionsInput,
  ChatRenameSessionInput,
  ChatSession,
  Success,
} from "@grove/schemas";
import type { Transaction } from "kysely";
import { recordEvent } from "../events/record";
import { notFound } from "../lib/notFound";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { chatTopic } from "./chatTopic";
import { chatSessionNotFound, toChatSession } from "./row";

/** The names of the tables in error messages. */
const ITEM_NAMES = { workspaces: "workspace", agent_sessions: "agent session" } as const;

/**
 * Creates a session.
 * @throws {GroveError} NOT_FOUND for the workspace or agent session; PRECONDITION_FAILED `quota_exceeded`
 */
export function createChatSession(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: UserPrincipal,
  input: ChatCreateSessionInput,
): Promise<ChatSession> {
  return database.db.transaction().execute(async (trx) => {
    const { organizationId, workspaceId, agentSessionId } = input;
    if (workspaceId) await lock(trx, "workspaces", organizationId, workspaceId);
    if (agentSessionId) await lock(trx, "agent_sessions", organizationId, agentSessionId);
    await quotas.take(trx, "chatSessions", organizationId);
    const row = await trx
      .insertInto("chat_sessions")
      .values({
        id: newId(),
        organization_id: organizationId,
        title: input.title,
        workspace_id: workspaceId ?? null,
        agent_session_id: agentSessionId ?? null,
        created_by: principal.user.id,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toChatSession(row);
  });
}

/** Reads a page of an organization's sessions, newest first. */
export async function listChatSessions(
  { database }: Pick<Services, "database">,
  input: ChatListSessionsInput,
): Promise<ChatSession[]> {
  const { db } = database;
  const query = db
    .selectFrom("chat_sessions")
    .selectAll()
    .where("organization_id", "=", input.organizationId);
  return (await newestFirst(db, "chat_sessions", query, input)).map(toChatSession);
}

/**
 * Renames a session.
 * @throws {GroveError} NOT_FOUND
 */
export async function renameChatSession(
  { database }: Pick<Services, "database">,
  { organizationId, id, title }: ChatRenameSessionInput,
): Promise<ChatSession> {
  const row = await database.db
    .updateTable("chat_sessions")
    .set({ title })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw chatSessionNotFound(id);
  return toChatSession(row);
}

/**
 * Deletes a session with its messages and events, and ends its streams.
 * @throws {GroveError} NOT_FOUND
 */
export function deleteChatSession(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  { organizationId, id }: ChatDeleteSessionInput,
): Promise<Success> {
  return database.db.transaction().execute(async (trx) => {
    const row = await trx
      .deleteFrom("chat_sessions")
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .returning("title")
      .executeTakeFirst();
    if (!row) throw chatSessionNotFound(id);
    await trx
      .deleteFrom("organization_events")
      .where("organization_id", "=", organizationId)
      .where("topic", "=", chatTopic(organizationId, id).topic)
      .execute();
    await recordAudit(trx, principal, {
      organizationId,
      action: "chat.deleteSession",
      target: { type: "chat_session", id },
      metadata: { title: row.title },
    });
    const deleted: ChatEvent = { type: "deleted" };
    await recordEvent(trx, chatTopic(organizationId, id), deleted);
    return { success: true as const };
  });
}

/** Keeps the row until the session that refers to it is inserted. */
async function lock(
  trx: Transaction<Database>,
  table: keyof typeof ITEM_NAMES,
  organizationId: string,
  id: string,
): Promise<void> {
  const row = await trx
    .selectFrom(table)
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw notFound(ITEM_NAMES[table], id);
}
