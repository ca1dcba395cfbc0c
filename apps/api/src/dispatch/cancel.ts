import { cancelCommands } from "@grove/db";
import { sql } from "kysely";
import { countSettled } from "../metrics";
import type { Services } from "../services";
import { type CommandRow, readCommand } from "./commands";

/**
 * Cancels a command: one that no device was given dies at once; of one that a device may have, the device is told, ends
 * the work, rolls back what is half-made and reports. A settled one stays as it is. Returns the row that now holds.
 */
export async function requestCancel(
  services: Services,
  command: Pick<CommandRow, "organization_id" | "id">,
): Promise<CommandRow> {
  const { organization_id: organizationId, id } = command;
  const which = sql`organization_id = ${organizationId} and id = ${id}`;
  countSettled(services, await cancelCommands(services.database.db, which));
  return readCommand(services, organizationId, id);
}
