import { GroveError, type Principal } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import type { ProjectCreateInput } from "@grove/schemas";
import type { Kysely } from "kysely";

/**
 * Refuses a project whose repository is a directory, unless the caller is a device, or a device has named that
 * directory before.
 * @throws {GroveError} BAD_REQUEST
 */
export async function requireReachable(
  db: Kysely<Database>,
  principal: Principal,
  organizationId: string,
  repoUrl: string | undefined,
): Promise<void> {
  if (!repoUrl || !/^file:/i.test(repoUrl) || principal.kind === "device") return;
  const existing = await db
    .selectFrom("projects")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("repo_url", "=", repoUrl)
    .limit(1)
    .executeTakeFirst();
  if (existing) return;
  throw new GroveError(
    "BAD_REQUEST",
    "repoUrl: no other machine can clone a directory. Run `grove-device project add <path>` on the device that has it.",
  );
}

/** The audit event of a created project. */
export const projectCreated = (
  organizationId: string,
  row: { id: string; slug: string; repo_url: string },
) => ({
  organizationId,
  action: "project.create",
  target: { type: "project", id: row.id },
  metadata: { slug: row.slug, repoUrl: row.repo_url },
});

/** The insert that project.create and workspace.ensure share. */
export const insertProject = (
  db: Kysely<Database>,
  organizationId: string,
  fields: Omit<ProjectCreateInput, "organizationId">,
) =>
  db.insertInto("projects").values({
    id: newId(),
    organization_id: organizationId,
    name: fields.name,
    slug: fields.slug,
    repo_owner: fields.repoOwner,
    repo_name: fields.repoName,
    repo_url: fields.repoUrl,
    default_branch: fields.defaultBranch,
  });
