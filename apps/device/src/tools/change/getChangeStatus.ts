import { CommandFailure } from "../../errors";
import { localBase } from "../../git/change/baseCommit";
import { mergeTree } from "../../git/change/mergeTree";
import { findRemote } from "../../git/change/pushRemote";
import { type NamedChange, suggestMessage } from "../../git/change/suggestMessage";
import { comparedBase } from "../../git/compareBase";
import { DETECT_RENAMES } from "../../git/diff/changes";
import { readOperation } from "../../git/operation";
import { withSnapshot } from "../../git/points/snapshot";
import { currentBranch, currentCommit, readRefs } from "../../git/refs";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import type { LocalWorkspace } from "../../home/store";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";

/** get_change_status: how far the work of a workspace has come. Changes nothing; git stores objects. */
export const getChangeStatusTool = (deps: ToolDeps): Tool<"get_change_status"> => ({
  async run({ workspaceId }, { signal }) {
    const workspace = await findWorkspace(deps, workspaceId);
    const worktree = await openWorkspace(deps, workspace);
    const { git, path, gitDir } = worktree;
    const [branch, operation, head, refs, remote] = await Promise.all([
      currentBranch(git, path),
      readOperation(gitDir),
      currentCommit(git, path),
      readRefs(git, path),
      remoteOf(deps, workspace),
    ]);
    const [uncommitted, compared] = await Promise.all([
      readUncommitted(worktree, head, signal),
      readCompared(worktree, workspace, signal),
    ]);
    return {
      branch: branch ?? operation?.branch ?? null,
      base: workspace.baseBranch,
      baseCommit: localBase(refs, workspace.baseBranch)?.commit ?? null,
      head: head ?? null,
      ...uncommitted,
      ...compared,
      remote: remote ?? null,
      remoteHead: (remote && branch && refs.get(`refs/remotes/${remote}/${branch}`)) || null,
      inTheMiddle: operation?.kind ?? null,
    };
  },
});

/** The remote for pushes, according to what the device knows of the project. */
async function remoteOf(deps: ToolDeps, { projectId }: LocalWorkspace): Promise<string | undefined> {
  const project = await deps.store.project(projectId);
  return project && findRemote(deps.git, project);
}

/** The files that a commit would change. */
const readUncommitted = (worktree: OpenWorktree, head: string | undefined, signal: AbortSignal) =>
  withSnapshot(
    worktree,
    signal,
    async ({ tree, staged }) => {
      const options = ["-r", "-z", "--name-status", ...DETECT_RENAMES];
      const args = ["diff-tree", ...options, head ?? emptyTree(tree), tree];
      const changes = changesIn(await worktree.git(args, { signal }));
      return {
        tree: staged === null ? null : tree,
        uncommittedFiles: changes.length,
        suggestedMessage: suggestMessage(changes),
      };
    },
    { withoutMarked: true },
  );

/** Reads `--name-status -z`. A renamed file has both names. */
function changesIn(listed: string): NamedChange[] {
  const words = listed.split("\0");
  const changes: NamedChange[] = [];
  for (let at = 0; at + 1 < words.length; ) {
    const status = words[at++]?.charAt(0) ?? "";
    const oldPath = status === "R" ? words[at++] : undefined;
    changes.push({ status, oldPath, path: words[at++] ?? "" });
  }
  return changes;
}

/** The id of the empty tree, by the length of the repository's ids. */
const emptyTree = ({ length }: string): string =>
  length === 40
    ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

async function readCompared(worktree: OpenWorktree, workspace: LocalWorkspace, signal: AbortSignal) {
  const { git } = worktree;
  const compared = await comparedBase(worktree, workspace, signal);
  const forkCommit = compared?.fork ?? null;
  if (!compared?.isCurrent) return { forkCommit, ahead: null, behind: null, conflictsWithBase: [] };
  const range = ["rev-list", "--left-right", "--count", `${compared.commit}...HEAD`];
  const [behind = 0, ahead = 0] = (await git(range, { signal })).trim().split("\t").map(Number);
  const conflictsWithBase =
    behind > 0 && ahead > 0 ? await conflictsOf(worktree, compared.commit, signal) : [];
  return { forkCommit, ahead, behind, conflictsWithBase };
}

/** Returns none with git before 2.38, which cannot compute them. */
async function conflictsOf({ git }: OpenWorktree, base: string, signal: AbortSignal): Promise<string[]> {
  try {
    const merged = await mergeTree(git, "HEAD", base, signal);
    return "conflicts" in merged ? merged.conflicts : [];
  } catch (error) {
    if (error instanceof CommandFailure) return [];
    throw error;
  }
}
