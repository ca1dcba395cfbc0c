import { GroveError, recordAudit, type SessionPrincipal, type UserPrincipal } from "@grove/auth";
import type { CheckedPull } from "@grove/integrations";
import { type PullStatus, shortCommit } from "@grove/schemas";
import { sql } from "kysely";
import type { Services } from "../../services";
import type { ChangeKey } from "../row";
import { touchChange } from "../touch";
import { findPullTarget, requireChangeUse } from "./pullTarget";
import { forgetAnswer, readPull, toStatus } from "./read";
import { requireGate } from "./requireGate";

export type AtHead = ChangeKey & { head: string };

/**
 * Reads the pull request of a change, for an action on its newest commit. Requires that the caller may act on the
 * change.
 * @throws {GroveError} what {@link requireChangeUse}, {@link findPullTarget} and `callProvider` throw;
 * PRECONDITION_FAILED `no_pull_request`
 */
export async function pullToActOn(services: Services, principal: UserPrincipal, changeKey: ChangeKey) {
  const { db } = services.database;
  await requireChangeUse(db, principal, changeKey);
  const target = await findPullTarget(db, changeKey);
  const found = await readPull(services, target);
  // After `head_moved`, the next read shows the current commit.
  forgetAnswer(services, changeKey);
  if (found) return { target, found };
  throw new GroveError("PRECONDITION_FAILED", "The change has no pull request. Open one first.", {
    reason: "no_pull_request",
  });
}

/** @throws {GroveError} CONFLICT `head_moved` with the newest commit */
export function requireHead({ pull }: CheckedPull, head: string): void {
  if (pull.head !== head)
    throw new GroveError(
      "CONFLICT",
      `The pull request is at commit ${shortCommit(pull.head)} now, not at ${shortCommit(head)}. Review the new commits first.`,
      { reason: "head_moved", details: { head: pull.head } },
    );
}

/**
 * Records the caller's approval of the newest commit of a change's pull request. It replaces the caller's earlier
 * approval.
 * @throws {GroveError} what {@link pullToActOn}, {@link requireHead} and {@link requireGate} throw
 */
export async function approve(
  services: Services,
  principal: SessionPrincipal,
  { organizationId, changeId, head }: AtHead,
): Promise<PullStatus> {
  const changeKey = { organizationId, changeId };
  const { found } = await pullToActOn(services, principal, changeKey);
  requireHead(found, head);
  await requireGate(services.database.db, changeKey, head);
  const { number, baseBranch: base } = found.pull;
  await services.database.db.transaction().execute(async (trx) => {
    await trx
      .insertInto("approvals")
      .values({
        organization_id: organizationId,
        change_id: changeId,
        user_id: principal.user.id,
        head,
        base,
      })
      .onConflict((conflict) =>
        conflict
          .columns(["organization_id", "change_id", "user_id"])
          .doUpdateSet({ head, base, created_at: sql`now()` }),
      )
      .execute();
    await touchChange(trx, changeKey);
    await recordAudit(trx, principal, {
      organizationId,
      action: "workspace.change.approve",
      target: { type: "change", id: changeId },
      metadata: { head, base, number },
    });
  });
  return toStatus(services.database.db, changeKey, found);
}

/**
 * Withdraws the caller's approval of a commit. Does nothing if there is none.
 * @throws {GroveError} what {@link requireChangeUse} throws
 */
export async function unapprove(
  { database: { db } }: Services,
  principal: SessionPrincipal,
  { organizationId, changeId, head }: AtHead,
): Promise<void> {
  await requireChangeUse(db, principal, { organizationId, changeId });
  await db.transaction().execute(async (trx) => {
    const deleted = await trx
      .deleteFrom("approvals")
      .where("organization_id", "=", organizationId)
      .where("change_id", "=", changeId)
      .where("user_id", "=", principal.user.id)
      .where("head", "=", head)
      .returning("head")
      .executeTakeFirst();
    if (!deleted) return;
    await touchChange(trx, { organizationId, changeId });
    await recordAudit(trx, principal, {
      organizationId,
      action: "workspace.change.unapprove",
      target: { type: "change", id: changeId },
      metadata: { head },
    });
  });
}
