import type { DeviceToolParams, DeviceToolResult } from "@grove/schemas";
import * as z from "zod";
import { CommandFailure } from "../../errors";
import { findHooks } from "../../git/change/hooks";
import { uploadLfs } from "../../git/change/lfs";
import { PUSHED_WORKTREE, push, remoteCommit } from "../../git/change/push";
import { requireRemote } from "../../git/change/pushRemote";
import { pushedRef } from "../../git/points/pointRefs";
import { answerOf } from "../../git/run";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { readConfig } from "../../home/config";
import type { LocalWorkspace } from "../../home/store";
import { findWorkspace } from "../../home/workspaces";
import { endInheritors } from "../../sessions/process/processes";
import type { RecoveryContext, Tool, ToolContext } from "../../tool";
import type { ToolDeps } from "../deps";
import { readProject } from "../projects/repository";
import { openWorkspace, repositoryOf } from "../workspace/openWorkspace";
import { requireBranch, requireHead, requireNoOperation } from "./guards";

type Params = DeviceToolParams<"push_branch">;

/** The note in the journal before anything is sent. */
const pushingNote = z.object({
  pushing: z.object({ workspaceId: z.string(), commit: z.string(), branch: z.string(), remote: z.string() }),
});

/** push_branch: pushes the branch of a workspace to the project's remote. */
export const pushBranchTool = (deps: ToolDeps): Tool<"push_branch"> => ({
  async run(params, context) {
    const { path } = await findWorkspace(deps, params.workspaceId);
    return deps.locks.run(path, () => pushBranch(deps, params, context), context.signal);
  },
  recover: (notes, context) => recoverPush(deps, notes, context),
});

async function pushBranch(
  deps: ToolDeps,
  { workspaceId, expectHead: commit, expectRemote, force }: Params,
  context: ToolContext,
): Promise<DeviceToolResult<"push_branch">> {
  const { signal } = context;
  const workspace = await findWorkspace(deps, workspaceId);
  const worktree = await openWorkspace(deps, workspace);
  await requireNoOperation(worktree);
  const branch = await requireOwnBranch(worktree, workspace);
  await requireHead(worktree, commit);
  const remote = await requirePushRemote(deps, workspace, { worktree, branch, signal });
  const lease = force === "lease" ? await requireLease(worktree, workspaceId, expectRemote) : undefined;
  const hooks = await findHooks(worktree, ["pre-push"], await readConfig(deps.home));
  if (!hooks.allowed.has("pre-push")) await uploadLfs(worktree, { commit, remote }, signal);
  await context.note({ pushing: { workspaceId, commit, branch, remote } });
  await push(worktree, { commit, branch, remote, lease, hooks }, context);
  await recordPush(worktree, workspaceId, commit);
  return { branch, remote, head: commit, skippedHooks: hooks.skipped };
}

/** @throws {CommandFailure} `branch_not_own` */
async function requireOwnBranch(worktree: OpenWorktree, { branch, name }: LocalWorkspace): Promise<string> {
  const current = await requireBranch(worktree);
  if (current === branch) return branch;
  throw new CommandFailure(
    "branch_not_own",
    `'${current}' is checked out in workspace "${name}", whose own branch is '${branch}'. Check that out, or push '${current}' by hand.`,
  );
}

/**
 * The remote to which a branch may be pushed.
 * @throws {CommandFailure} `protected_branch`, `remote_mismatch`
 */
async function requirePushRemote(
  deps: ToolDeps,
  workspace: LocalWorkspace,
  { worktree, branch, signal }: { worktree: OpenWorktree; branch: string; signal: AbortSignal },
): Promise<string> {
  const project = await readProject(deps, workspace.projectId, signal);
  const local = await deps.store.project(workspace.projectId);
  const path = (await repositoryOf(deps, workspace)) ?? worktree.path;
  const remote = await requireRemote(deps.git, { path, repoUrl: project.repoUrl });
  const headOfRemote = await answerOf(
    worktree.git(["symbolic-ref", "--quiet", `refs/remotes/${remote}/HEAD`], { signal }),
  );
  const isProtected = [
    ...[project.defaultBranch, local?.defaultBranch, headOfRemote?.replace(`refs/remotes/${remote}/`, "")],
    ...[
      workspace.baseBranch,
      workspace.baseBranch.replace(`${remote}/`, ""),
      ...(project.doneBranches ?? []),
    ],
  ].includes(branch);
  if (!isProtected) return remote;
  throw new CommandFailure(
    "protected_branch",
    `'${branch}' is the project's default branch, or one into which work is merged. Grove never pushes to it.`,
  );
}

/**
 * Returns the commit that a forced push may replace. Only commits that Grove itself has pushed may be replaced: any
 * other commit is someone's work.
 * @throws {CommandFailure} `lease_broken`
 */
async function requireLease(
  { git }: OpenWorktree,
  workspaceId: string,
  expectRemote: string | undefined,
): Promise<string> {
  const pushed = await answerOf(git(["rev-parse", "--quiet", "--verify", pushedRef(workspaceId)]));
  if (pushed !== undefined && pushed === expectRemote) return pushed;
  throw new CommandFailure(
    "lease_broken",
    pushed === undefined
      ? "Grove force-pushes only branches that it has pushed before. Push without force, or run `git push` yourself."
      : `Grove pushed ${pushed} last, not ${expectRemote ?? "a commit that the caller named"}, so nothing was pushed. Check what is at the remote first.`,
  );
}

const recordPush = async ({ git }: OpenWorktree, workspaceId: string, commit: string): Promise<void> =>
  void (await git(["update-ref", "--no-deref", pushedRef(workspaceId), commit]));

/** Asks the remote whether the push has arrived. */
async function recoverPush(
  deps: ToolDeps,
  notes: readonly unknown[],
  { signal }: RecoveryContext,
): Promise<string> {
  const pushing = notes.map((note) => pushingNote.safeParse(note).data?.pushing).find(Boolean);
  const workspace = pushing && (await deps.store.workspace(pushing.workspaceId));
  if (!pushing || !workspace) return "Nothing was pushed.";
  const { commit, branch, remote } = pushing;
  await endInheritors(`${PUSHED_WORKTREE}=${workspace.path}`);
  try {
    const worktree = await openWorkspace(deps, workspace);
    const actual = await remoteCommit(worktree.git, { branch, remote }, signal);
    if (actual !== commit)
      return `The push of ${commit} has not changed '${branch}' at '${remote}', which is ${actual === null ? "missing" : `at ${actual}`}.`;
    await recordPush(worktree, workspace.id, commit);
    return `'${branch}' was pushed to '${remote}' and is at ${commit}.`;
  } catch (error) {
    signal.throwIfAborted();
    return `Whether '${branch}' was pushed to '${remote}' is unknown: ${error instanceof Error ? error.message : error}`;
  }
}
