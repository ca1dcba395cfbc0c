import { type Kysely, sql } from "kysely";

/**
 * Why an agent session failed, whether it waits for input, the journal that it began under (another one on the same
 * device ends it), and a task that is there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table agent_sessions
    add column journal_id uuid,
    add column waiting_for_input boolean not null default false,
    add column error jsonb,
    add check (status = 'running' or not waiting_for_input)`,
  // Which one a session of before had was not kept; what the device has now is the best that is known.
  `update agent_sessions set journal_id = devices.journal_id from devices
    where devices.organization_id = agent_sessions.organization_id and devices.id = agent_sessions.device_id`,
  `update agent_sessions set task_id = null
    where not exists (
      select from tasks where tasks.organization_id = agent_sessions.organization_id
        and tasks.id = agent_sessions.task_id)`,
  `alter table agent_sessions
    add foreign key (organization_id, task_id) references tasks (organization_id, id) on delete set null (task_id)`,
  "create index agent_sessions_task on agent_sessions (organization_id, task_id)",
];
