import { isAtLeast, type MaybeCached, type UserPrincipal } from "@grove/auth";
import { id } from "@grove/schemas";
import * as z from "zod";
import { keyReadsOutput, requireOutputOf } from "../agentSessions/outputAccess";
import type { CommandRow } from "../dispatch/command";
import { readCommand } from "../dispatch/readCommand";
import { notFound } from "../lib/notFound";
import type { Services } from "../services";

/**
 * Reads a command for its requester, its device's owner or an org-admin.
 * @throws {GroveError} NOT_FOUND for a command that does not exist or that the caller may not see
 */
export async function visibleCommand(
  services: Pick<Services, "database" | "dispatch">,
  principal: UserPrincipal,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<CommandRow> {
  const { db } = services.database;
  const row = await readCommand(services, organizationId, id);
  if (row.requested_by === principal.user.id) return row;
  if (isAtLeast(principal.memberships.get(organizationId), "admin")) return row;
  const device = await db
    .selectFrom("devices")
    .select("owner_id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", row.device_id)
    .executeTakeFirst();
  if (device?.owner_id === principal.user.id) return row;
  throw notFound("command", id);
}

/** The tools that show a session or act on it. For users who may read its output. */
const sessionTools = [
  "get_agent_screen",
  "send_agent_input",
  "release_agent_request",
  "resize_agent_session",
  "stop_agent_session",
];
const sessionParams = z.object({ sessionId: id });

/** Requires that the caller may read the output of the session that a tool shows or acts on. */
export async function requireSessionOf(
  services: Pick<Services, "database">,
  given: MaybeCached<UserPrincipal>,
  { organizationId, tool, params }: { organizationId: string; tool: string; params: Record<string, unknown> },
): Promise<void> {
  if (!sessionTools.includes(tool)) return;
  const { data } = sessionParams.safeParse(params);
  // The general check of parameters reports whatever else is wrong with them.
  if (!data) return;
  const session = { organizationId, id: data.sessionId };
  if (given.kind === "cached" && (await keyReadsOutput(services, given, session))) return;
  const principal = given.kind === "cached" ? await given.lookUp() : given;
  await requireOutputOf(services, principal, session);
}
