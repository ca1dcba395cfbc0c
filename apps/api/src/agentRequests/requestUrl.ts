import type { Services } from "../services";

/** The console's page for a request. Undefined if this server has no public address, or serves no console. */
export async function requestUrl(
  { database, config }: Pick<Services, "database" | "config">,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<string | undefined> {
  if (config.publicUrl === undefined || config.webDir === undefined) return undefined;
  const organization = await database.db
    .selectFrom("organizations")
    .select("slug")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  return organization && `${config.publicUrl}/o/${organization.slug}/requests/${id}`;
}
