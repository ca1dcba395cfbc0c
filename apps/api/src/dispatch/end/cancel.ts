import { cancelCommands, weekRange } from "@grove/db";
import { sql } from "kysely";
import type { Services } from "../../services";
import type { CommandRow } from "../command";
import { readCommand } from "../readCommand";

/**
 * Cancels a command. A command that no device was given is canceled immediately. A device that may have it is notified:
 * it ends the work, rolls back what is half-made, and reports. A settled command is not changed. Returns the row after
 * that.
 */
export async function requestCancel(
  services: Pick<Services, "database" | "dispatch" | "metrics">,
  command: Pick<CommandRow, "organization_id" | "id">,
): Promise<CommandRow> {
  const { organization_id: organizationId, id } = command;
  const theCommand = sql`organization_id = ${organizationId} and id = ${id} and ${weekRange("id", [id])}`;
  services.metrics?.settled(await cancelCommands(services.database.db, theCommand));
  return readCommand(services, organizationId, id);
}
