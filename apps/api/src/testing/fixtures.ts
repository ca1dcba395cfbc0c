import { newId } from "@grove/db";
import type { Person } from "./server";

/** What project.create and workspace.ensure take of a project. */
export const projectFields = (slug = `p-${newId()}`) => ({
  name: "Orchard",
  slug,
  repoOwner: "acme",
  repoName: "orchard",
  repoUrl: "https://example.com/acme/orchard.git",
});

/** Makes someone a member of another's organization, as an accepted invitation would. */
export async function addMember(
  server: { database: { db: import("@grove/db").GroveDatabase["db"] } },
  organizationId: string,
  person: Pick<Person, "user">,
  role: "member" | "admin" | "owner",
): Promise<void> {
  await server.database.db
    .insertInto("memberships")
    .values({ organization_id: organizationId, user_id: person.user.id, role })
    .execute();
}
