import { type RawBuilder, sql } from "kysely";

/** For a statement that acts for a user: whether the user is a member, and not disabled, when the statement begins. */
export const isStillMember = (
  organizationId: RawBuilder<string>,
  userId: RawBuilder<string>,
): RawBuilder<boolean> => sql`exists (
  select from memberships join users on users.id = memberships.user_id
  where memberships.organization_id = ${organizationId} and memberships.user_id = ${userId}
    and users.disabled_at is null)`;
