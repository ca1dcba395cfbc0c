import type { UserPrincipal } from "@grove/auth";
import type { ReviewMark } from "@grove/schemas";
import { sql } from "kysely";
import { requireWorkspaceDevice } from "../changes/requireWorkspaceDevice";
import type { ChangeKey } from "../changes/row";
import { runTool } from "../dispatch/submit/runTool";
import type { Services } from "../services";
import { notOnDevice, readReviewedChange } from "./row";

const MARK_MS = 30_000;

/**
 * Records which version of a change the caller has seen. The device keeps that version first.
 * @throws {GroveError} what {@link readReviewedChange} throws; PRECONDITION_FAILED `point_gone`, and what `runTool`
 * throws
 */
export async function markSeen(
  services: Services,
  principal: UserPrincipal,
  { organizationId, changeId, point }: ChangeKey & { point: string },
  caller: AbortSignal | undefined,
): Promise<ReviewMark> {
  const { db } = services.database;
  const { workspaceId } = await readReviewedChange(db, principal, { organizationId, changeId });
  if (workspaceId === null) throw notOnDevice(changeId);
  const deviceId = await requireWorkspaceDevice(db, principal, { organizationId, workspaceId });
  const call = { organizationId, deviceId, params: { workspaceId, point }, waitMs: MARK_MS };
  await runTool(
    services,
    principal,
    { ...call, tool: "mark_seen", refusals: ["point_gone"], next: "Try again." },
    caller,
  );
  const mark = { point, marked_at: sql<string>`now()` };
  const row = await db
    .insertInto("review_marks")
    .values({ organization_id: organizationId, change_id: changeId, user_id: principal.user.id, ...mark })
    .onConflict((conflict) => conflict.columns(["organization_id", "change_id", "user_id"]).doUpdateSet(mark))
    .returning(["point", "marked_at"])
    .executeTakeFirstOrThrow();
  return { point: row.point, markedAt: row.marked_at };
}
