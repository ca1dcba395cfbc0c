import { currentCommit, isCommit, isOfRemote } from "./refs";
import { answerOf, exitsWithZero, GitError } from "./run";
import type { OpenWorktree } from "./worktree/openWorktree";

/** The recorded base of a workspace. */
export interface RecordedBase {
  /** A branch's short name, or a commit. */
  baseBranch: string;
  /** The base's commit when the workspace was made. */
  baseCommit: string;
}

/** The commits to compare a worktree with. */
interface ComparedBase {
  commit: string;
  /** The last commit that the worktree shares with it. */
  fork: string;
  /** False if the base was deleted or shares no history. Then its recorded commit is used instead. */
  isCurrent: boolean;
}

type Tree = Pick<OpenWorktree, "git" | "path">;

/**
 * Finds the base of a worktree: the current commit of its base branch, or of that branch's upstream if it is newer. If
 * neither exists or shares history with the worktree (a shallow fetch cuts history off), it is the commit where the
 * worktree began.
 */
export async function comparedBase(
  tree: Tree,
  { baseBranch, baseCommit }: RecordedBase,
  signal?: AbortSignal,
): Promise<ComparedBase | undefined> {
  if ((await currentCommit(tree.git, tree.path)) === undefined) return undefined;
  const current = isCommit(baseBranch) ? baseBranch : await newestCommit(tree, baseBranch, signal);
  for (const commit of new Set([current, baseCommit])) {
    const fork = commit === undefined ? undefined : await mergeBase(tree, commit, signal);
    if (commit !== undefined && fork !== undefined) return { commit, fork, isCurrent: commit === current };
  }
  return undefined;
}

/** The commit of a base branch or of its upstream. Full names are used, so that a tag of the same name never counts. */
async function newestCommit({ git }: Tree, base: string, signal?: AbortSignal): Promise<string | undefined> {
  const [local, remote] = [`refs/heads/${base}`, `refs/remotes/${base}`];
  const origin = `refs/remotes/origin/${base}`;
  const format = "--format=%(refname) %(objectname) %(upstream)";
  const listed = await git(["for-each-ref", format, "refs/heads/", "refs/remotes/"], { signal });
  const refs = new Map(
    listed.split("\n").map((line) => {
      const [name = "", commit = "", upstream = ""] = line.split(" ");
      return [name, { commit, upstream }] as const;
    }),
  );
  const order = isOfRemote(refs.keys(), base) ? [remote, local, origin] : [local, remote, origin];
  const name = order.find((each) => refs.has(each));
  const found = name === undefined ? undefined : refs.get(name);
  if (!found || name !== local) return found?.commit;
  const upstream = refs.get(found.upstream || origin)?.commit;
  if (upstream === undefined || upstream === found.commit) return found.commit;
  const isNewer = await exitsWithZero(
    git(["merge-base", "--is-ancestor", found.commit, upstream], { signal }),
  );
  return isNewer ? upstream : found.commit;
}

/** Undefined if the commit is missing, or shares no history. */
async function mergeBase({ git }: Tree, commit: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    return await answerOf(git(["merge-base", commit, "HEAD"], { signal }));
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
