import { newId } from "@grove/db";
import type { IntegrationEventStatus } from "@grove/schemas";
import { adminDomain, type Person, type TestServer } from "./server";

/** The fields of a project for project.create and workspace.ensure. */
export const projectFields = (slug = `p-${newId()}`) => ({
  name: "Orchard",
  slug,
  repoOwner: "acme",
  repoName: "orchard",
  repoUrl: "https://example.com/acme/orchard.git",
});

/** Makes someone a member of another's organization, as an accepted invitation would. */
export async function addMember(
  server: Pick<TestServer, "database">,
  organizationId: string,
  person: Pick<Person, "user">,
  role: "member" | "admin" | "owner",
): Promise<void> {
  await server.database.db
    .insertInto("memberships")
    .values({ organization_id: organizationId, user_id: person.user.id, role })
    .execute();
}

/** Makes someone a site admin: gives them a verified address in its domain. */
export async function makeSiteAdmin(
  server: Pick<TestServer, "database">,
  { user }: Pick<Person, "user">,
): Promise<void> {
  await server.database.db
    .updateTable("users")
    .set({ email: `root-${newId()}@${adminDomain}`, email_verified_at: new Date() })
    .where("id", "=", user.id)
    .execute();
}

/** Inserts a webhook's delivery, pending unless a status is given; returns its id. */
export async function insertDelivery(
  server: Pick<TestServer, "database">,
  organizationId: string,
  status?: IntegrationEventStatus,
): Promise<string> {
  const id = newId();
  await server.database.db
    .insertInto("integration_events")
    .values({
      id,
      organization_id: organizationId,
      provider: "github",
      delivery_id: id,
      body_hash: id,
      type: "ping",
      payload: "{}",
      status,
    })
    .execute();
  return id;
}
