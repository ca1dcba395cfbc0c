import type { DeviceToolParams, DeviceToolResult } from "@grove/schemas";
import * as z from "zod";
import { CommandFailure } from "../../errors";
import { requireLocalBase } from "../../git/change/baseCommit";
import { inConflict, mergeTree } from "../../git/change/mergeTree";
import { moveBase } from "../../git/change/moveBase";
import { cleanMessage, writeUserCommit } from "../../git/change/userCommit";
import { exitsWithZero } from "../../git/run";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { findWorkspace } from "../../home/workspaces";
import type { RecoveryContext, Tool, ToolContext } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace, repositoryOf } from "../workspace/openWorkspace";
import { headMoved, requireBranch, requireClean, requireHead, requireNoOperation } from "./guards";

type Params = DeviceToolParams<"merge_here">;

/** The note in the journal before the base branch moves. */
const mergingNote = z.object({
  merging: z.object({ projectId: z.string(), base: z.string(), commit: z.string() }),
});

/** merge_here: merges the commit of a workspace into its local base branch. */
export const mergeHereTool = (deps: ToolDeps): Tool<"merge_here"> => ({
  async run(params, context) {
    const { path } = await findWorkspace(deps, params.workspaceId);
    return deps.locks.run(path, () => merge(deps, params, context), context.signal);
  },
  recover: (notes, context) => recoverMerge(deps, notes, context),
});

async function merge(
  deps: ToolDeps,
  { workspaceId, head, expectBase, message }: Params,
  { signal, note }: ToolContext,
): Promise<DeviceToolResult<"merge_here">> {
  const workspace = await findWorkspace(deps, workspaceId);
  const worktree = await openWorkspace(deps, workspace);
  await requireNoOperation(worktree);
  const branch = await requireBranch(worktree);
  await requireHead(worktree, head);
  await requireClean(worktree, signal);
  const repository = (await repositoryOf(deps, workspace)) ?? worktree.path;
  const base = await requireLocalBase(deps.git, repository, workspace.baseBranch);
  if (base.commit !== expectBase) throw headMoved(`'${base.branch}'`, base.commit, expectBase);
  if (base.branch === branch)
    throw new CommandFailure("branch_not_own", `The workspace itself is on its base '${branch}'.`);
  const commit = await mergedCommit(worktree, { head, branch, base, message }, signal);
  if (commit === base.commit) return { commit, base: base.branch };
  const merging = { projectId: workspace.projectId, base: base.branch, commit };
  await moveBase(deps.git, { repository, ...base, to: commit }, signal, () => note({ merging }));
  return { commit, base: base.branch };
}

interface Merge {
  head: string;
  branch: string;
  base: { branch: string; commit: string };
  message: string | undefined;
}

/**
 * The commit to which the base branch is to move: a merge, or the head if that is a fast-forward.
 * @throws {CommandFailure} `conflicts`, `base_gone`
 */
async function mergedCommit(
  worktree: OpenWorktree,
  { head, branch, base, message }: Merge,
  signal: AbortSignal,
): Promise<string> {
  const { git } = worktree;
  const isAncestor = (one: string, other: string) =>
    exitsWithZero(git(["merge-base", "--is-ancestor", one, other], { signal }));
  if (await isAncestor(head, base.commit)) return base.commit;
  if (message === undefined && (await isAncestor(base.commit, head))) return head;
  const merged = await mergeTree(git, base.commit, head, signal);
  if ("conflicts" in merged) throw inConflict(merged.conflicts, `'${base.branch}'`);
  const text = await cleanMessage(worktree, message ?? `Merge branch '${branch}' into ${base.branch}`);
  return writeUserCommit(
    worktree,
    { tree: merged.tree, parents: [base.commit, head], message: text },
    signal,
  );
}

/** Reads whether the base branch has the commit. */
async function recoverMerge(
  deps: ToolDeps,
  notes: readonly unknown[],
  { signal }: RecoveryContext,
): Promise<string> {
  const merging = notes.map((note) => mergingNote.safeParse(note).data?.merging).find(Boolean);
  const project = merging && (await deps.store.project(merging.projectId));
  if (!merging || !project) return "Nothing was merged.";
  const { base, commit } = merging;
  const isMerged = await exitsWithZero(
    deps.git(["merge-base", "--is-ancestor", commit, `refs/heads/${base}`], { cwd: project.path, signal }),
  ).catch(() => false);
  return isMerged
    ? `'${base}' has the merge ${commit}.`
    : `'${base}' does not have the merge ${commit}. If it is checked out in ${project.path}, check \`git status\` there.`;
}
