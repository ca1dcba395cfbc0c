import { GroveError } from "@grove/auth";
import type { ProjectSecretTable, ProjectTable } from "@grove/db";
import type { Project, ProjectSecret } from "@grove/schemas";
import type { Selectable } from "kysely";

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
  restorePoints: row.restore_points,
  doneBranches: row.done_branches,
  maxRounds: row.max_rounds,
  gateOnFinish: row.gate_on_finish,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The columns that {@link toProjectSecret} needs. */
export const projectSecretColumns = ["key", "created_at", "updated_at"] as const;

/** A secret's row as the API returns it: never its value. */
export const toProjectSecret = (
  row: Pick<Selectable<ProjectSecretTable>, (typeof projectSecretColumns)[number]>,
): ProjectSecret => ({ key: row.key, createdAt: row.created_at, updatedAt: row.updated_at });

export const projectSecretNotFound = ({ projectId, key }: { projectId: string; key: string }) =>
  new GroveError("NOT_FOUND", `Project ${projectId} has no secret ${key}.`);
