import type { PointsOff } from "@grove/schemas";
import { hasMirror } from "../../git/points/pointRefs";
import { readConfig } from "../../home/config";
import type { WorkspaceDeps } from "../deps";

/** A turn of an agent does not wait longer than this for its restore point. */
const PROJECT_MS = 2_000;

/**
 * Why no restore points are made of a project's workspaces; undefined if they are.
 * @throws {CommandFailure} `config_invalid`
 */
export async function pointsOff(
  deps: WorkspaceDeps,
  projectId: string,
  repository: string,
): Promise<PointsOff | undefined> {
  if ((await readConfig(deps.home)).restorePoints === false) return "config";
  if (!(await projectHasPoints(deps, projectId))) return "project";
  return (await hasMirror(deps.git, repository)) ? "mirror" : undefined;
}

/** Reads the project's setting. If the API cannot be reached, its last known value counts. */
async function projectHasPoints(
  { cloud, store, organizationId }: WorkspaceDeps,
  projectId: string,
): Promise<boolean> {
  const local = await store.project(projectId);
  const known = local?.restorePoints ?? true;
  const current = await cloud.getProject({ organizationId, id: projectId }, PROJECT_MS).then(
    ({ restorePoints }) => restorePoints,
    () => known,
  );
  if (local && current !== known) await store.saveProject({ ...local, restorePoints: current });
  return current;
}
