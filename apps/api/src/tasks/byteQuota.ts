import type { Database } from "@grove/db";
import type { Kysely } from "kysely";
import type { Quotas } from "../limits/quotas";

/** A text is stored twice, and its bigrams take about as much again. */
const COPIES = 3;

/**
 * Reserves quota for a task's text.
 * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
 */
export async function takeBytes(
  db: Kysely<Database>,
  quotas: Quotas,
  organizationId: string,
  { description }: { description?: string | null | undefined },
): Promise<void> {
  if (description)
    await quotas.take(db, "taskBytes", organizationId, COPIES * Buffer.byteLength(description));
}
