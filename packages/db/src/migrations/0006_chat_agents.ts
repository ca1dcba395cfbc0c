import { type Kysely, sql } from "kysely";

/** A chat session may be tied to a running agent, to which its messages are typed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table chat_sessions
    add column agent_session_id uuid,
    add foreign key (organization_id, agent_session_id) references agent_sessions (organization_id, id)
      on delete set null (agent_session_id)`,
  "create index chat_sessions_agent_session on chat_sessions (organization_id, agent_session_id)",
];
