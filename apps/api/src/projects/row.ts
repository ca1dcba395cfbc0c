import { GroveError } from "@grove/auth";
import type { ProjectTable } from "@grove/db";
import type { Project } from "@grove/schemas";
import type { Selectable } from "kysely";

export const projectNotFound = (id: string) => new GroveError("NOT_FOUND", `There is no project ${id}.`);

/** A project's row as the API returns it. */
export const toProject = (row: Selectable<ProjectTable>): Project => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  slug: row.slug,
  repoOwner: row.repo_owner,
  repoName: row.repo_name,
  repoUrl: row.repo_url,
  defaultBranch: row.default_branch,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
