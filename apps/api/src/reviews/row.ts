import { GroveError, requireDeviceUse } from "@grove/auth";
import type { Database, ReviewCommentTable, ReviewRoundTable } from "@grove/db";
import type { LatestAnswer, ReviewComment, ReviewRound } from "@grove/schemas";
import type { Kysely, Selectable } from "kysely";
import type { ChangeKey } from "../changes/row";
import type { Requester } from "../lib/idempotency";
import { notFound } from "../lib/notFound";

/** A review comment's row as the API returns it. */
export const toReviewComment = (row: Selectable<ReviewCommentTable>): ReviewComment => ({
  id: row.id,
  changeId: row.change_id,
  authorId: row.author_id,
  body: row.body,
  anchor: row.anchor,
  state: row.state,
  roundId: row.round_id,
  claim: latestAnswerOf(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const latestAnswerOf = ({
  answer_state,
  answer_commit,
  answer_body,
  answered_at,
}: Selectable<ReviewCommentTable>): LatestAnswer | null =>
  answer_state === null || answer_body === null || answered_at === null
    ? null
    : { state: answer_state, commit: answer_commit, body: answer_body, at: answered_at };

/** A round's row as the API returns it. */
export const toReviewRound = (row: Selectable<ReviewRoundTable>): ReviewRound => ({
  id: row.id,
  number: row.number,
  kind: row.kind,
  byUserId: row.sent_by,
  sessionId: row.session_id,
  status: row.status,
  reason: row.reason,
  createdAt: row.created_at,
});

/** The columns of a comment without an agent's answer. */
export const NO_ANSWER = {
  answer_state: null,
  answer_commit: null,
  answer_body: null,
  answered_at: null,
} as const;

/** The refusal for a change without a device or a workspace. */
export const notOnDevice = (changeId: string) =>
  new GroveError(
    "PRECONDITION_FAILED",
    `The change ${changeId} has no workspace on a device, so its lines cannot be read. Comment on a change that has one.`,
    { reason: "workspace_not_on_device" },
  );

/**
 * Reads a change on a device that the caller may use.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`; PRECONDITION_FAILED `workspace_not_on_device`
 */
export async function readReviewedChange(
  db: Kysely<Database>,
  principal: Requester,
  { organizationId, changeId }: ChangeKey,
): Promise<{ branch: string; workspaceId: string | null }> {
  const row = await db
    .selectFrom("changes")
    .leftJoin("devices", (join) =>
      join
        .onRef("devices.organization_id", "=", "changes.organization_id")
        .onRef("devices.id", "=", "changes.device_id"),
    )
    .select(["changes.branch", "changes.workspace_id", "devices.owner_id", "devices.shared"])
    .where("changes.organization_id", "=", organizationId)
    .where("changes.id", "=", changeId)
    .executeTakeFirst();
  if (!row) throw notFound("change", changeId);
  if (row.owner_id === null || row.shared === null) throw notOnDevice(changeId);
  requireDeviceUse(principal, { ownerId: row.owner_id, shared: row.shared });
  return { branch: row.branch, workspaceId: row.workspace_id };
}
