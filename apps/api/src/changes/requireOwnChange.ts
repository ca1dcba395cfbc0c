import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Kysely } from "kysely";
import type { Requester } from "../lib/idempotency";

/**
 * Requires that the caller may speak for the agents of a workspace, whose device the caller may use. Everyone who is
 * signed in may, and an API key of a person who has started an agent session there.
 * @throws {GroveError} FORBIDDEN `not_your_change`
 */
export async function requireOwnChange(
  db: Kysely<Database>,
  principal: Requester,
  { organizationId, workspaceId }: { organizationId: string; workspaceId: string | null },
): Promise<void> {
  if (principal.kind === "session") return;
  const session = await db
    .selectFrom("agent_sessions")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("workspace_id", "=", workspaceId)
    .where("started_by", "=", principal.user.id)
    .limit(1)
    .executeTakeFirst();
  if (session) return;
  throw new GroveError(
    "FORBIDDEN",
    "An API key speaks only for agents in workspaces where its owner has started an agent session.",
    { reason: "not_your_change" },
  );
}
