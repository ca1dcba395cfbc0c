import { secretIdentity } from "../../secrets/identities";
import type { Services } from "../../services";
import type { PullTarget } from "./pullTarget";

/** The shortest secret to search for. Shorter ones occur in ordinary words. */
const MIN_SECRET_LENGTH = 6;

/** Returns the secrets of a project that are long enough to be found in a text. */
export async function projectSecrets(
  { database: { db }, vault }: Services,
  { organizationId, projectId }: Pick<PullTarget, "organizationId" | "projectId">,
): Promise<{ key: string; value: string }[]> {
  const rows = await db
    .selectFrom("project_secrets")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("project_id", "=", projectId)
    .execute();
  return rows
    .map((row) => ({ key: row.key, value: vault.open(row.sealed, secretIdentity(row)) }))
    .filter(({ value }) => value.length >= MIN_SECRET_LENGTH);
}
