import { type Database, insertTaskStatuses, newId, type OrganizationTable } from "@grove/db";
import type { Selectable, Transaction } from "kysely";
import { recordAudit } from "./audit";
import { GroveError } from "./errors";
import { slugOf, withRandomSuffix } from "./slug";

export interface NewOrganization {
  name: string;
  /** Made from the name when omitted. */
  slug?: string;
  ownerId: string;
}

/**
 * Creates an organization with its owner's membership and the task statuses that every organization starts with.
 * @throws {GroveError} CONFLICT `slug_taken` if the requested slug is in use
 */
export async function createOrganization(
  trx: Transaction<Database>,
  { name, slug, ownerId }: NewOrganization,
): Promise<Selectable<OrganizationTable>> {
  const organization =
    slug === undefined ? await insertDistinct(trx, name, slugOf(name)) : await insert(trx, name, slug);
  if (!organization)
    throw new GroveError("CONFLICT", `The slug ${slug} is taken. Choose another, or omit it.`, {
      reason: "slug_taken",
    });
  await trx
    .insertInto("memberships")
    .values({ organization_id: organization.id, user_id: ownerId, role: "owner" })
    .execute();
  await insertTaskStatuses(trx, organization.id);
  return organization;
}

/** Creates the organization that every account begins with; the account is its owner. */
export async function createPersonalOrganization(
  trx: Transaction<Database>,
  { name, ownerId }: { name: string; ownerId: string },
): Promise<void> {
  const { id } = await createOrganization(trx, { name, ownerId });
  await recordAudit(
    trx,
    { kind: "user", userId: ownerId },
    {
      organizationId: id,
      action: "organization.create",
      target: { type: "organization", id },
    },
  );
}

/** Returns nothing when the slug is taken: a unique violation would abort the transaction. */
const insert = (trx: Transaction<Database>, name: string, slug: string) =>
  trx
    .insertInto("organizations")
    .values({ id: newId(), name, slug })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returningAll()
    .executeTakeFirst();

async function insertDistinct(trx: Transaction<Database>, name: string, slug: string) {
  let organization = await insert(trx, name, slug);
  while (!organization) organization = await insert(trx, name, withRandomSuffix(slug));
  return organization;
}
