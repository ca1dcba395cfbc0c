import type { Database } from "@grove/db";
import type { SeenSession } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { MemberKey } from "../organizations/row";
import { readSession } from "./row";

/**
 * Records the latest change of a session's activity that a member has seen. Earlier and future changes are ignored.
 * @throws {GroveError} NOT_FOUND
 */
export async function markSessionSeen(
  db: Kysely<Database>,
  { organizationId, userId, id, seen }: MemberKey & SeenSession,
): Promise<void> {
  await readSession(db, { organizationId, id });
  await sql`insert into session_marks (organization_id, session_id, user_id, seen)
    select organization_id, id, ${userId}::uuid, ${seen}::timestamptz from agent_sessions
    where organization_id = ${organizationId} and id = ${id} and activity_since >= ${seen}::timestamptz
    on conflict (organization_id, session_id, user_id) do update set seen = excluded.seen
    where session_marks.seen < excluded.seen`.execute(db);
}

/** Returns what a member has seen of the running sessions. */
export const listSeenSessions = (
  db: Kysely<Database>,
  { organizationId, userId }: MemberKey,
): Promise<SeenSession[]> =>
  db
    .selectFrom("session_marks as mark")
    .innerJoin("agent_sessions as session", (join) =>
      join
        .onRef("session.organization_id", "=", "mark.organization_id")
        .onRef("session.id", "=", "mark.session_id"),
    )
    .select(["session.id", "mark.seen"])
    .where("mark.organization_id", "=", organizationId)
    .where("mark.user_id", "=", userId)
    .where("session.status", "=", "running")
    .execute();
