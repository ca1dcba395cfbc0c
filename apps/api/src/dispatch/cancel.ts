import { notification } from "@grove/db";
import { sql } from "kysely";
import type { Services } from "../services";
import { type CommandRow, readCommand } from "./commands";

/**
 * Cancels a command: one that is queued dies at once; of one that the device has, the device is told, ends the work,
 * rolls back what is half-made and reports. A settled one stays as it is. Returns the row that now holds.
 */
export async function requestCancel(services: Services, command: CommandRow): Promise<CommandRow> {
  const { db } = services.database;
  await sql`
    with changed as (
      update device_commands set
        cancel_requested_at = coalesce(cancel_requested_at, now()),
        status = case when status = 'queued' then 'canceled' else status end,
        finished_at = case when status = 'queued' then now() end
      where organization_id = ${command.organization_id} and id = ${command.id}
        and status in ('queued', 'claimed', 'running')
      returning id, device_id, status)
    select case when status = 'canceled'
      then ${notification("command_changed", sql`id::text || ' canceled'`)}
      else ${notification("device_wake", sql`device_id::text || ' cancel ' || id::text`)}
    end from changed
  `.execute(db);
  return readCommand(services, command.organization_id, command.id);
}
