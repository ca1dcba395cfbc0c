import { join } from "node:path";
import type { Project, WorkspaceRequest } from "@grove/schemas";
import { ToolError } from "../errors";
import { branchInTheWay, checkBranchName, findBase, isOnRemote, type Refs, readRefs } from "../git/refs";
import { isThere } from "../home";
import { firstFree, generateName, slugify } from "../names";
import type { LocalProject, LocalWorkspace } from "../store";
import type { WorkspaceParts } from "./parts";

/** What is to be made for one item of the request. */
export interface WorkspacePlan {
  name: string;
  branch: string;
  baseBranch: string;
  commit: string;
  path: string;
}

/** Branches that Grove names itself are kept together. */
const BRANCH_FOLDER = "grove";

/**
 * Decides what to make for one item: generates what was omitted, and finds the base. A workspace that stands already
 * and has the name and branch that were asked for, as far as they were, is returned instead. Must run under the repository's lock, so that it still holds when
 * it is carried out.
 * @throws {ToolError} `name_taken`, `invalid_branch`, `branch_exists`, `base_not_found`, `no_commits`
 */
export async function planWorkspace(
  parts: WorkspaceParts,
  project: Project,
  repository: LocalProject,
  request: WorkspaceRequest,
): Promise<WorkspacePlan | { existing: LocalWorkspace }> {
  const { git, home } = parts;
  const standing = await standingWorkspaces(parts, project.id);
  const refs = await readRefs(git, repository.path);
  const name =
    request.name ??
    request.branchName ??
    (await generateName(
      (candidate) =>
        standing.some((workspace) => workspace.name === candidate) ||
        isBranchTaken(refs, ownBranch(refs, candidate)),
    ));

  const existing = standing.find((workspace) =>
    request.name === undefined ? workspace.branch === request.branchName : workspace.name === name,
  );
  if (existing && (request.branchName === undefined || request.branchName === existing.branch))
    return { existing };
  if (existing)
    throw new ToolError(
      "name_taken",
      `A workspace "${name}" of this project stands on the device already, on branch '${existing.branch}' at ${existing.path}. Choose another name.`,
    );

  const branch = await chooseBranch(parts, repository.path, refs, request.branchName, name);
  const base = await findBase(git, repository.path, refs, {
    wanted: request.baseBranch,
    defaultBranch: project.defaultBranch,
    remoteFirst: repository.cloned,
  });
  const directory = join(home.worktreesDir, project.slug);
  const path = join(
    directory,
    await firstFree(await slugify(name, "workspace"), (candidate) => isThere(join(directory, candidate))),
  );
  return { name, branch, baseBranch: base.name, commit: base.commit, path };
}

async function standingWorkspaces({ store }: WorkspaceParts, projectId: string): Promise<LocalWorkspace[]> {
  const standing = [];
  for (const workspace of await store.workspaces())
    if (workspace.projectId === projectId && (await isThere(workspace.path))) standing.push(workspace);
  return standing;
}

async function chooseBranch(
  { git }: WorkspaceParts,
  repository: string,
  refs: Refs,
  wanted: string | undefined,
  name: string,
): Promise<string> {
  if (wanted === undefined)
    return firstFree(ownBranch(refs, await slugify(name, "workspace")), (candidate) =>
      isBranchTaken(refs, candidate),
    );
  await checkBranchName(git, wanted);
  const inTheWay = branchInTheWay(refs, wanted);
  if (inTheWay !== undefined)
    throw new ToolError(
      "branch_exists",
      inTheWay === wanted
        ? `The branch '${wanted}' exists already in ${repository}. Choose another branchName, or leave it out to have one made.`
        : `The branch '${inTheWay}' in ${repository} leaves no room for '${wanted}': git cannot have both. Choose another branchName.`,
    );
  return wanted;
}

/** `grove/<name>`; with a hyphen where somebody has a branch that is called just `grove`. */
const ownBranch = (refs: Refs, slug: string): string =>
  refs.has(`refs/heads/${BRANCH_FOLDER}`) ? `${BRANCH_FOLDER}-${slug}` : `${BRANCH_FOLDER}/${slug}`;

const isBranchTaken = (refs: Refs, branch: string): boolean =>
  branchInTheWay(refs, branch) !== undefined || isOnRemote(refs, branch);
