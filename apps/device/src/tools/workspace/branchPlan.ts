import type { Project, WorkspaceRequest } from "@grove/schemas";
import { ToolError } from "../../errors";
import {
  branchInTheWay,
  checkBranchName,
  findBase,
  nearNames,
  type Refs,
  remoteBranch,
} from "../../git/refs";
import type { Git } from "../../git/run";
import { listWorktrees } from "../../git/worktree";
import { isThere } from "../../home/home";
import { firstFree, slugify } from "../../home/names";
import type { LocalProject } from "../../home/store";
import type { AtOrigin } from "./askOrigin";

/** Which branch a new worktree has, and where it begins. */
export interface BranchPlan {
  branch: string;
  baseBranch: string;
  commit: string;
  scriptCommit?: string;
  keepBranch?: boolean;
  upstream?: string;
}

/** What is known of the branches that may be in the way. */
export interface Branches {
  refs: Refs;
  atOrigin: AtOrigin;
}

interface Where {
  git: Git;
  project: Project;
  repository: LocalProject;
}

/** Branches that Grove names itself are kept together. */
const BRANCH_FOLDER = "grove";

/**
 * A new branch: the one asked for, or one made of the workspace's name.
 * @throws {ToolError} `invalid_branch`, `branch_exists`, `base_not_found`, `no_commits`
 */
export async function planNewBranch(
  where: Where,
  { refs, atOrigin }: Branches,
  { branchName: wanted, baseBranch }: WorkspaceRequest,
  name: string,
): Promise<BranchPlan> {
  const { git, repository } = where;
  if (wanted !== undefined) {
    await checkBranchName(git, wanted);
    requireRoom(repository, refs, wanted);
    const remote =
      remoteBranch(refs, wanted) ?? (atOrigin.branches.includes(wanted) ? `origin/${wanted}` : undefined);
    if (remote !== undefined)
      throw new ToolError(
        "branch_exists",
        `The branch '${wanted}' exists already as ${remote}. Give it as existingBranch to work on it, or choose another branchName.`,
      );
  }
  const branch =
    wanted ??
    (await firstFree(ownBranch(refs, await slugify(name, "workspace")), (candidate) =>
      isBranchTaken(refs, candidate),
    ));
  const base = await baseOf(where, refs, baseBranch, atOrigin);
  return { branch, baseBranch: base.name, commit: base.commit };
}

/**
 * A branch that is there already, in the repository or at a remote. Its base is what it is compared with, and whose
 * scripts are run.
 * @throws {ToolError} `invalid_branch`, `branch_not_found`, `branch_checked_out`, `branch_exists`
 */
export async function planExistingBranch(
  where: Where,
  { refs, atOrigin }: Branches,
  branch: string,
): Promise<{ plan: BranchPlan; warnings: string[] }> {
  const { git, repository } = where;
  await checkBranchName(git, branch);
  const local = refs.get(`refs/heads/${branch}`);
  const upstream = remoteBranch(refs, branch);
  const remote = upstream === undefined ? undefined : refs.get(`refs/remotes/${upstream}`);
  const commit = local ?? remote;
  if (commit === undefined) throw branchNotFound(repository, refs, branch, atOrigin);
  if (local === undefined) requireRoom(repository, refs, branch);
  else await requireNotCheckedOut(git, repository, branch);
  const base = await baseOf(where, refs);
  const common = { branch, baseBranch: base.name, commit, scriptCommit: base.commit };
  if (local === undefined) return { plan: { ...common, upstream }, warnings: [] };
  const missing = remote === undefined ? 0 : await countCommits(git, repository.path, `${local}..${remote}`);
  const warnings =
    missing === 0 ? [] : [`'${branch}' lacks ${missing} commits of ${upstream}: git pull brings them.`];
  return { plan: { ...common, keepBranch: true }, warnings };
}

/** Whether a name that Grove makes up would meet a branch that is there. */
export const isNameTaken = (refs: Refs, slug: string): boolean => isBranchTaken(refs, ownBranch(refs, slug));

/** `grove/<name>`; with a hyphen where somebody has a branch that is called just `grove`. */
const ownBranch = (refs: Refs, slug: string): string =>
  refs.has(`refs/heads/${BRANCH_FOLDER}`) ? `${BRANCH_FOLDER}-${slug}` : `${BRANCH_FOLDER}/${slug}`;

const isBranchTaken = (refs: Refs, branch: string): boolean =>
  branchInTheWay(refs, branch) !== undefined || remoteBranch(refs, branch) !== undefined;

const baseOf = ({ git, project, repository }: Where, refs: Refs, wanted?: string, atOrigin?: AtOrigin) =>
  findBase(git, repository.path, refs, {
    wanted,
    defaultBranch: project.defaultBranch,
    remoteFirst: repository.cloned,
    trouble: atOrigin?.trouble,
  });

/** @throws {ToolError} `branch_exists` */
function requireRoom({ path }: LocalProject, refs: Refs, wanted: string): void {
  const inTheWay = branchInTheWay(refs, wanted);
  if (inTheWay === undefined) return;
  throw new ToolError(
    "branch_exists",
    inTheWay === wanted
      ? `The branch '${wanted}' exists already in ${path}. Give it as existingBranch to work on it, or choose another branchName.`
      : `The branch '${inTheWay}' in ${path} leaves no room for '${wanted}': git cannot have both. Choose another branchName.`,
  );
}

/** @throws {ToolError} `branch_checked_out` */
async function requireNotCheckedOut(git: Git, { path }: LocalProject, branch: string): Promise<void> {
  for (const worktree of await listWorktrees(git, path))
    if (worktree.branch === branch && (await isThere(worktree.path)))
      throw new ToolError(
        "branch_checked_out",
        `The branch '${branch}' is checked out at ${worktree.path}, and git has it in one worktree at a time. Work there, or leave out existingBranch and give it as baseBranch: a new branch then begins at it.`,
      );
}

function branchNotFound(
  { path }: LocalProject,
  refs: Refs,
  branch: string,
  { trouble }: AtOrigin,
): ToolError {
  const near = nearNames(refs, branch);
  return new ToolError(
    "branch_not_found",
    [
      `There is no branch '${branch}' in ${path}${trouble === undefined ? " or at its origin" : ""}.`,
      ...(near.length > 0 ? [`Near names: ${near.join(", ")}.`] : []),
      ...(trouble === undefined ? [] : [trouble, "Try again when origin answers."]),
      "For a new branch give it as branchName.",
    ].join(" "),
  );
}

const countCommits = async (git: Git, repository: string, range: string): Promise<number> =>
  Number(await git(["rev-list", "--count", "--end-of-options", range], { cwd: repository }));
