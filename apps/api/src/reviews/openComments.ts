import type { Database } from "@grove/db";
import type { OpenReviewComment } from "@grove/schemas";
import type { Kysely } from "kysely";
import type { ActingAgent } from "../agentSessions/actingAgent";
import { noOwnBranch } from "../changes/finish";
import { listReview } from "./list";

/**
 * Lists the comments on an agent's workspace that were sent and are not resolved, oldest first.
 * @throws {GroveError} NOT_FOUND without a change, and what {@link listReview} throws
 */
export async function listOpenComments(
  db: Kysely<Database>,
  { organizationId, workspaceId, requester }: ActingAgent,
): Promise<OpenReviewComment[]> {
  const change = await db
    .selectFrom("changes")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (!change) throw noOwnBranch(workspaceId);
  const { comments } = await listReview(db, requester, { organizationId, changeId: change.id });
  const open = comments.filter(({ state }) => state === "sent");
  const nameById = await memberNames(db, organizationId, [...new Set(open.map(({ authorId }) => authorId))]);
  return open.map(({ id, anchor, body, claim, authorId }) => ({
    id,
    anchor,
    body,
    claim,
    author: (authorId !== null && nameById.get(authorId)) || null,
  }));
}

/** The names of those users who are members, by id. */
async function memberNames(
  db: Kysely<Database>,
  organizationId: string,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const userIds = ids.filter((id) => id !== null);
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "users.name"])
    .where("memberships.organization_id", "=", organizationId)
    .where("memberships.user_id", "in", userIds)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
