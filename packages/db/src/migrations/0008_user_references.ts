import { type Kysely, sql } from "kysely";

/**
 * Deleting an account looks for what refers to it. Commands are left out: their inserts are the hottest path, their
 * rows are gone after 30 days, and accounts are seldom deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of references)
    await sql.raw(`create index ${table}_${column} on ${table} (${column})`).execute(db);
}

const references = [
  ["devices", "owner_id"],
  ["workspaces", "created_by"],
  ["invitations", "invited_by"],
  ["tasks", "creator_id"],
  ["chat_sessions", "created_by"],
  ["chat_messages", "author_id"],
  ["agent_sessions", "started_by"],
] as const;
