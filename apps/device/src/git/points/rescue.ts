import type { SkippedFile } from "@grove/schemas";
import { currentBranch, currentCommit } from "../refs";
import { answerOf, type Git } from "../run";
import type { OpenWorktree } from "../worktree/openWorktree";
import { type PointRef, pruneExpired, RESCUES, readPoints, rescueRef, writeCommit } from "./pointRefs";
import { rescuedUntil } from "./retention";
import { withSnapshot } from "./snapshot";
import { parentsOf, treeOf } from "./writePoint";

export interface MadeRescue {
  /** Undefined if all work is on a remote or another branch. */
  kept: { ref: string; until: Date } | undefined;
  /** The files that are not kept. */
  skipped: SkippedFile[];
}

/**
 * Keeps the work of a worktree that is about to be removed: its files, what is staged and its commits.
 * @param workspace.deletedBranch the branch that is removed with it, if any
 */
export const makeRescue = (
  worktree: OpenWorktree,
  { id, name, deletedBranch }: { id: string; name: string; deletedBranch: string | null },
  signal?: AbortSignal,
): Promise<MadeRescue> =>
  withSnapshot(worktree, signal, async (snapshot) => {
    const { git, path } = worktree;
    const { tree, skipped } = snapshot;
    const head = await currentCommit(git, path);
    const parents = head === undefined ? [] : await parentsOf(worktree, snapshot, head);
    const tip = deletedBranch === null ? undefined : await tipOf(git, deletedBranch);
    if (tip !== undefined && tip !== head) parents.push(tip);
    const isClean = head !== undefined && parents.length === 1 && tree === (await treeOf(git, head));
    if (isClean && !(await isOnlyHere(git, head, deletedBranch))) return { kept: undefined, skipped };
    const branch = (await currentBranch(git, path)) ?? deletedBranch ?? "(none)";
    const message = `Work of a deleted workspace\n\nWorkspace: ${name}\nBranch: ${branch}`;
    const commit = await writeCommit(git, path, { tree, parents, message });
    const ref = rescueRef(id);
    await git(["update-ref", "--no-deref", ref, commit]);
    await pruneExpired(git, path, id);
    return { kept: { ref, until: rescuedUntil(Date.now()) }, skipped };
  });

const tipOf = (git: Git, branch: string): Promise<string | undefined> =>
  answerOf(git(["rev-parse", "--quiet", "--verify", `refs/heads/${branch}^{commit}`]));

/** Whether no other branch than the deleted one, here or at a remote, contains a commit. */
async function isOnlyHere(git: Git, commit: string, deletedBranch: string | null): Promise<boolean> {
  // Applies to the `--branches` that follows.
  const itself = deletedBranch === null ? [] : [`--exclude=${deletedBranch}`];
  const args = ["rev-list", "--max-count=1", commit, "--not", ...itself, "--branches", "--remotes"];
  return (await git(args)).trim() !== "";
}

/** The work of a deleted workspace. */
export interface Rescue {
  workspaceId: string;
  name: string;
  branch: string;
  deletedAt: Date;
  until: Date;
  commit: string;
  /** The last commit of the workspace; undefined if there was none. */
  head: string | undefined;
  /** Whether there was work that was not committed. */
  uncommitted: boolean;
}

/** The work of deleted workspaces that a repository keeps, newest first. */
export async function listRescues(git: Git, repository: string): Promise<Rescue[]> {
  const points = await readPoints(git, repository, RESCUES);
  const rescues: Rescue[] = [];
  for (const point of points.sort((one, other) => other.at - one.at))
    rescues.push(await describe(git, repository, point));
  return rescues;
}

async function describe(git: Git, repository: string, point: PointRef): Promise<Rescue> {
  const { ref, commit, tree, parents, at, message } = point;
  const [head] = parents;
  const trailer = (key: string) => new RegExp(`^${key}: (.*)$`, "m").exec(message)?.[1] ?? "";
  const headTree =
    head && (await git(["rev-parse", "--verify", `${head}^{tree}`], { cwd: repository })).trim();
  return {
    workspaceId: ref.slice(RESCUES.length + 1),
    name: trailer("Workspace"),
    branch: trailer("Branch"),
    deletedAt: new Date(at),
    until: rescuedUntil(at),
    commit,
    head,
    uncommitted: headTree !== tree || parents.length > 1,
  };
}
