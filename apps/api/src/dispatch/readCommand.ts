import { notFound } from "../lib/notFound";
import type { Services } from "../services";
import type { CommandRow } from "./command";

/** @throws {GroveError} NOT_FOUND if the organization has no such command */
export async function readCommand(
  services: Pick<Services, "dispatch">,
  organizationId: string,
  id: string,
): Promise<CommandRow> {
  const row = await services.dispatch.read(organizationId, id);
  if (!row) throw notFound("command", id);
  return row;
}
