import { GroveError } from "@grove/auth";
import type { Database, ReviewCommentTable } from "@grove/db";
import type { Kysely, Selectable } from "kysely";

/** The refusal for a comment that was sent, with the person and the time of its newest round. */
export async function alreadySent(
  db: Kysely<Database>,
  { organization_id, round_id }: Pick<Selectable<ReviewCommentTable>, "organization_id" | "round_id">,
): Promise<GroveError> {
  const round = await db
    .selectFrom("review_rounds")
    .leftJoin("users", "users.id", "review_rounds.sent_by")
    .select(["users.name", "review_rounds.created_at", "review_rounds.status"])
    .where("review_rounds.organization_id", "=", organization_id)
    .where("review_rounds.id", "=", round_id)
    .executeTakeFirst();
  return new GroveError("CONFLICT", `This was already sent by ${round?.name ?? "a user who was deleted"}.`, {
    reason: "already_sent",
    details: { name: round?.name ?? null, at: round?.created_at ?? null, status: round?.status ?? null },
  });
}
