import type { UserPrincipal } from "@grove/auth";
import type { AgentListSessionsInput, AgentSession } from "@grove/schemas";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { mayReadOutput } from "./outputAccess";
import { ownerOfDevice, toAgentSession } from "./row";

/** Reads a page of an organization's agent sessions, newest first. */
export async function listSessions(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  input: AgentListSessionsInput,
): Promise<AgentSession[]> {
  const { db } = database;
  const { organizationId, deviceId, workspaceId, taskId, status } = input;
  let query = db
    .selectFrom("agent_sessions")
    .selectAll()
    .select(ownerOfDevice)
    .where("organization_id", "=", organizationId);
  if (deviceId) query = query.where("device_id", "=", deviceId);
  if (workspaceId) query = query.where("workspace_id", "=", workspaceId);
  if (taskId) query = query.where("task_id", "=", taskId);
  if (status) query = query.where("status", "=", status);
  const rows = await newestFirst(db, "agent_sessions", query, input);
  return rows.map((row) => toAgentSession(row, mayReadOutput(principal, row)));
}
