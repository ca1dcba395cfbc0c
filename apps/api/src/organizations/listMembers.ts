import type { Member, OrganizationListMembersInput } from "@grove/schemas";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { toMember } from "./row";

/** Reads a page of an organization's members, newest first. */
export async function listMembers(
  { database }: Pick<Services, "database">,
  input: OrganizationListMembersInput,
): Promise<Member[]> {
  const { db } = database;
  const query = db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["user_id", "name", "email", "image", "role", "memberships.created_at"])
    .where("memberships.organization_id", "=", input.organizationId);
  return (await newestFirst(db, "memberships", query, input)).map(toMember);
}
