import type { UserPrincipal } from "@grove/auth";
import type { AgentListRequestsInput, AgentRequest } from "@grove/schemas";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { requestsIn } from "./row";
import { toAgentRequest } from "./toAgentRequest";

/** Reads a page of the requests of an organization's agents, newest first. */
export async function listRequests(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  input: AgentListRequestsInput,
): Promise<AgentRequest[]> {
  const { db } = database;
  const { organizationId, status, sessionId } = input;
  let query = requestsIn(db, organizationId);
  if (status) query = query.where("agent_requests.status", "=", status);
  if (sessionId) query = query.where("session_id", "=", sessionId);
  const rows = await newestFirst(db, "agent_requests", query, input);
  return rows.map((row) => toAgentRequest(row, principal));
}
