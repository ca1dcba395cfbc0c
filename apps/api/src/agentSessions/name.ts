import type { Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { lineText } from "./lineText";

/** How much of a prompt is searched for its first line with text. */
const MAX_SCANNED = 4_000;

interface Command {
  organizationId: string;
  deviceId: string;
  commandId: string | undefined;
}

/**
 * Returns the name of a new session: the title of the command's task or, without a task, the first non-empty line of
 * its prompt.
 */
export async function initialName(
  db: Kysely<Database>,
  { organizationId, deviceId, commandId }: Command,
): Promise<string | null> {
  if (commandId === undefined) return null;
  const { rows } = await sql<{ title: string | null; prompt: string | null }>`
    select tasks.title, left(command.params ->> 'prompt', ${sql.lit(MAX_SCANNED)}) as prompt
    from device_commands as command
    left join tasks on tasks.organization_id = command.organization_id
      and tasks.id = (command.params ->> 'taskId')::uuid and tasks.deleted_at is null
    where command.organization_id = ${organizationId} and command.id = ${commandId}
      and command.device_id = ${deviceId} and command.tool = 'start_agent_session'
  `.execute(db);
  const [command] = rows;
  if (!command) return null;
  if (command.title !== null) return lineText(command.title);
  for (const line of (command.prompt ?? "").split(/[\r\n]+/)) {
    const name = lineText(line);
    if (name !== null) return name;
  }
  return null;
}
