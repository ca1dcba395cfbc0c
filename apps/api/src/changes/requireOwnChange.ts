import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Kysely } from "kysely";
import type { Requester } from "../lib/idempotency";

/**
 * Requires that the caller, who may use the workspace's device, may act on behalf of its agents. Signed-in users may.
 * An API key may if its owner has started an agent session there.
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
    "An API key can act only for agents in workspaces where its owner has started an agent session.",
    { reason: "not_your_change" },
  );
}
