import { isAtLeast, type UserPrincipal } from "@grove/auth";
import { type AgentListCommandsInput, UNLISTED_TOOL } from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";
import { listedColumns, toListed } from "../dispatch/command";
import { type Narrow, newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { newestCommands } from "./newest";

/** Reads a page of the commands that the caller may see, newest first. */
export async function listCommands(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  input: AgentListCommandsInput,
) {
  const { db } = database;
  const { organizationId, deviceId, status, tools, exceptTools, requestedBy } = input;
  const isAdmin = isAtLeast(principal.memberships.get(input.organizationId), "admin");
  const userId = principal.user.id;
  const read = (condition: RawBuilder<boolean>) => {
    let commands = db
      .selectFrom("device_commands")
      .where("organization_id", "=", organizationId)
      .where("tool", "<>", UNLISTED_TOOL)
      .where(condition);
    if (deviceId) commands = commands.where("device_id", "=", deviceId);
    if (status) commands = commands.where("status", "=", status);
    if (tools) commands = commands.where("tool", "in", tools);
    if (exceptTools) commands = commands.where("tool", "not in", exceptTools);
    if (requestedBy) commands = commands.where("requested_by", "=", requestedBy);
    const listed = commands.select(listedColumns);
    if (isAdmin) return newestFirst(db, "device_commands", listed, input);
    // Each part is read from its own index.
    const visible = (narrow: Narrow) => {
      const requested = narrow(commands.select("id").where("requested_by", "=", userId));
      const ofDevice = narrow(commands.select("id").where(sql<boolean>`device_id = devices.id`));
      return listed.where(sql<boolean>`device_commands.id in (
            ${requested} union
            select command.id from devices cross join lateral ${ofDevice} as command
            where devices.organization_id = ${organizationId} and devices.owner_id = ${userId})`);
    };
    return newestFirst(db, "device_commands", visible, input);
  };
  return (await newestCommands(read, input)).map(toListed);
}
