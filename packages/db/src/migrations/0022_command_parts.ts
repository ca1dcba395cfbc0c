import { type Kysely, sql } from "kysely";
import { firstIdAt } from "../ids";
import { keepInParts } from "./parts";

const DAY_MS = 86_400_000;

/** Commands are kept by week. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unique over all parts, which an index of such a table cannot be. Triggers keep it, so that a release which only
  // knows the column of `device_commands` works with it as well: an insert with a key that is taken makes no row. A
  // restored command is as old as it was, and its key comes with this table.
  await sql`create table command_keys (
    organization_id uuid not null references organizations (id) on delete cascade,
    principal text not null,
    key text not null,
    command_id uuid not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, principal, key)
  )`.execute(db);
  await sql`create index command_keys_created_at on command_keys (created_at)`.execute(db);
  await sql`insert into command_keys (organization_id, principal, key, command_id, created_at)
    select organization_id, principal, idempotency_key, id, created_at from device_commands
    where idempotency_key is not null and id >= ${firstIdAt(new Date(Date.now() - 2 * DAY_MS))}`.execute(db);
  await sql`alter table device_commands drop constraint device_commands_idempotency`.execute(db);
  await keepInParts(db, "device_commands", "week");

  await sql`create function keep_command_key() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then
      delete from command_keys where organization_id = old.organization_id and principal = old.principal
        and key = old.idempotency_key and command_id = old.id;
      return new;
    end if;
    insert into command_keys (organization_id, principal, key, command_id)
      values (new.organization_id, new.principal, new.idempotency_key, new.id)
      on conflict (organization_id, principal, key) do update set command_id = excluded.command_id
      where command_keys.command_id = excluded.command_id;
    return case when found then new end;
  end $$`.execute(db);
  await sql`create trigger take_key before insert on device_commands for each row
    when (new.idempotency_key is not null and new.created_at > now() - interval '24 hours') execute function keep_command_key()`.execute(
    db,
  );
  await sql`create trigger free_key before update of idempotency_key on device_commands for each row
    when (old.idempotency_key is not null and new.idempotency_key is null)
    execute function keep_command_key()`.execute(db);

  // The release before this one finds what it deletes, or empties, by the place in the table, which rows of several
  // parts have in common. Triggers leave what is not due as it is.
  await sql`create function leave_as_is() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then
      new.result := old.result;
      new.late_result := old.late_result;
      return new;
    end if;
    return null;
  end $$`.execute(db);
  await sql`create trigger delete_what_is_due before delete on device_commands for each row
    when (pg_trigger_depth() = 0 and not (coalesce(old.finished_at, 'infinity') < now() - interval '30 days'
      or old.tool = 'get_agent_screen' and coalesce(old.finished_at, 'infinity') < now() - interval '5 minutes'))
    execute function leave_as_is()`.execute(db);
  await sql`create trigger empty_what_is_due before update of late_result on device_commands for each row
    when (coalesce(old.result, old.late_result) is not null and new.result is null and new.late_result is null
      and old.tool <> 'get_workspace_diff' and old.finished_at > now() - interval '7 days')
    execute function leave_as_is()`.execute(db);
}
