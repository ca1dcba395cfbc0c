import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { shortCommit } from "@grove/schemas";
import type { Kysely } from "kysely";
import type { ChangeKey } from "../row";

/** Returns whether the gate failed for exactly this commit. */
export async function gateFailed(
  db: Kysely<Database>,
  { organizationId, changeId }: ChangeKey,
  head: string,
): Promise<boolean> {
  const failed = await db
    .selectFrom("changes")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", changeId)
    .where("gate_state", "=", "failed")
    .where("gate_head", "=", head)
    .executeTakeFirst();
  return failed !== undefined;
}

/** @throws {GroveError} PRECONDITION_FAILED `gate_failed` */
export async function requireGate(db: Kysely<Database>, changeKey: ChangeKey, head: string): Promise<void> {
  if (await gateFailed(db, changeKey, head))
    throw new GroveError(
      "PRECONDITION_FAILED",
      `The repository's check script failed for commit ${shortCommit(head)}. Fix the cause, or run the script again.`,
      { reason: "gate_failed" },
    );
}
