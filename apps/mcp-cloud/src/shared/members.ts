import type { Client } from "@grove/client";
import { ToolError } from "@grove/mcp";
import { email, id, type Member } from "@grove/schemas";
import type { Identity } from "../api/apiSession";
import { readAll } from "./pages";

/** All members of the organization. */
export const readMembers = (
  client: Client,
  { organizationId }: Identity,
  signal: AbortSignal,
): Promise<Member[]> =>
  readAll((page) => client.organization.listMembers.query({ organizationId, ...page }, { signal }));

/**
 * Resolves `me`, an email or an id to a user id; the API checks whether an id is a member's.
 * @throws {ToolError} for any other text, and for an email that no member has
 */
export async function resolveMember(
  client: Client,
  identity: Identity,
  signal: AbortSignal,
  given: string,
): Promise<string> {
  if (given.toLowerCase() === "me") return identity.userId;
  const asId = id.safeParse(given);
  if (asId.success) return asId.data;
  const asEmail = email.safeParse(given);
  if (!asEmail.success)
    throw new ToolError(
      "invalid_input",
      `assignee: ${JSON.stringify(given)} is neither a user id, nor an email, nor me`,
      "list_members shows ids and emails.",
    );
  const members = await readMembers(client, identity, signal);
  const member = members.find((other) => other.email === asEmail.data);
  if (member) return member.userId;
  throw new ToolError(
    "unknown_assignee",
    `No member of the organization has the email ${JSON.stringify(asEmail.data)}`,
    "list_members shows the members.",
  );
}
