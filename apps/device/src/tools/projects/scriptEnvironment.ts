import { withoutRepository } from "../../git/run";
import { PORT_VARIABLE } from "../../home/portBase";
import type { WorkspaceDeps } from "../deps";
import type { ScriptOf } from "./repositoryScript";

/** The variable by which a script's processes are found after a crash. */
export const WORKSPACE_VARIABLE = "GROVE_WORKSPACE_ID";
/** The variable by which the processes of a gate are found; its value is the path of the gate's worktree. */
export const PATH_VARIABLE = "GROVE_WORKSPACE_PATH";

/** The environment of a workspace's scripts. */
export async function scriptEnvironment(
  { store, programEnv }: WorkspaceDeps,
  {
    repository,
    workspace: { id, name, path, branch, baseBranch },
  }: Pick<ScriptOf, "repository" | "workspace">,
): Promise<NodeJS.ProcessEnv> {
  const portBase = (await store.workspace(id))?.portBase;
  return {
    ...withoutRepository(programEnv),
    [WORKSPACE_VARIABLE]: id,
    GROVE_WORKSPACE_NAME: name,
    [PATH_VARIABLE]: path,
    GROVE_BRANCH: branch,
    GROVE_BASE_BRANCH: baseBranch,
    GROVE_REPOSITORY_PATH: repository,
    ...(portBase !== undefined && { [PORT_VARIABLE]: String(portBase) }),
  };
}
