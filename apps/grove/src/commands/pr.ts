import { blockText, type Change, type ChangeStatus, type PullStatus, shortCommit } from "@grove/schemas";
import type { Env } from "../env";
import { UserError } from "../errors";
import { runOnDevice } from "../local/runOnDevice";
import { type OpenWorkspace, type WorkspaceOptions, withWorkspace } from "../local/workspace";
import { pluralize, print, printJson } from "../print";

export interface OpenPullOptions extends WorkspaceOptions {
  title?: string;
  body?: string;
  base?: string;
  draft: boolean;
}

/** How far a workspace's work has come, on its machine and at its code host. */
interface Progress {
  status: ChangeStatus;
  change: Change | undefined;
  pull: PullStatus | null;
}

/**
 * `grove pr [workspace]`: shows what is uncommitted and unpushed, the pull request with its checks and what blocks it,
 * and the next step. Without a workspace, it is the one of the current directory, as for the other commands of `pr`.
 * @throws {UserError} with the API's reason, as the other commands of `pr`
 */
export const showPull = (wanted: string | undefined, { dataDir, json }: WorkspaceOptions, env: Env) =>
  withWorkspace(wanted, dataDir, env, async (open) => {
    const progress = await readProgress(open);
    if (json) printJson({ workspaceId: open.workspace.id, ...progress });
    else print(progressText(progress, open));
  });

/** `grove pr commit [workspace]`: commits all files that git does not ignore. */
export const commitWork = (
  wanted: string | undefined,
  { dataDir, json, message }: WorkspaceOptions & { message?: string },
  env: Env,
) =>
  withWorkspace(wanted, dataDir, env, async ({ client, ids, command, workspace: { name } }) => {
    const { tree, suggestedMessage, remote } = await client.workspace.change.status.query(ids);
    const made = await client.workspace.change.commit.mutate({
      ...ids,
      message: message ?? suggestedMessage,
      ...(tree !== null && { expectTree: tree }),
    });
    if (json) return printJson(made);
    const { commit, files, branch, skippedHooks } = made;
    print(
      `Committed ${pluralize(files, "file")} as ${shortCommit(commit)} on ${branch}.${hooksText(skippedHooks)}\n`,
    );
    if (remote !== null) print(`Push it with: ${command("pr", "push", name)}\n`);
  });

/** `grove pr check [workspace]`: runs the check script, `.grove/check`. Exits with 1 if it failed or may not run. */
export const checkWork = (wanted: string | undefined, { dataDir, json }: WorkspaceOptions, env: Env) =>
  withWorkspace(wanted, dataDir, env, async (open) => {
    const run = await runOnDevice(open, "run_gate", { workspaceId: open.workspace.id });
    if (run.outcome === "failed" || run.outcome === "not_allowed") process.exitCode = 1;
    if (json) return printJson(run);
    const of = run.head === null ? "the uncommitted work" : shortCommit(run.head);
    const texts = {
      passed: `${run.output}The check script passed for ${of}.\n`,
      failed: `${run.output}The check script failed for ${of}${run.timedOut ? ": it took too long" : ""}.\n`,
      none: "The base has no .grove/check.\n",
      not_allowed: `${run.output}\n`,
    };
    print(texts[run.outcome]);
  });

/** `grove pr push [workspace]`: pushes the branch to the project's remote, without force. */
export const pushWork = (wanted: string | undefined, { dataDir, json }: WorkspaceOptions, env: Env) =>
  withWorkspace(wanted, dataDir, env, async ({ client, ids, command, workspace: { name } }) => {
    const { head } = await client.workspace.change.status.query(ids);
    if (head === null) throw new UserError("The workspace has no commit yet.");
    const pushed = await client.workspace.change.push.mutate({ ...ids, expectHead: head });
    if (json) return printJson(pushed);
    const { branch, remote, skippedHooks } = pushed;
    print(`Pushed ${branch} to ${remote}.${hooksText(skippedHooks)}
Open a pull request with: ${command("pr", "open", name)}
`);
  });

/** `grove pr update [workspace]`: merges the base's newest commits, or rebases onto them. */
export const updateWork = (
  wanted: string | undefined,
  { dataDir, json, rebase }: WorkspaceOptions & { rebase: boolean },
  env: Env,
) =>
  withWorkspace(wanted, dataDir, env, async ({ client, ids }) => {
    const { head, base } = await client.workspace.change.status.query(ids);
    if (head === null) throw new UserError("The workspace has no commit yet.");
    const how = rebase ? ("rebase" as const) : ("merge" as const);
    const updated = await client.workspace.change.update.mutate({ ...ids, expectHead: head, how });
    if (json) printJson(updated);
    else print(`The branch contains ${base} at ${shortCommit(updated.base)}.\n`);
  });

/** `grove pr open [workspace]`: opens the pull request of the pushed branch, or returns the one that is open. */
export const openPull = (
  wanted: string | undefined,
  { dataDir, json, title, ...fields }: OpenPullOptions,
  env: Env,
) =>
  withWorkspace(wanted, dataDir, env, async (open) => {
    const change = await requireChange(open);
    const { client, ids } = open;
    const pull = await client.workspace.change.openPull.mutate({
      ...fields,
      organizationId: ids.organizationId,
      changeId: change.id,
      title: title ?? open.workspace.name,
    });
    if (json) printJson(pull);
    else print(`Pull request #${pull.number} is open${pull.url ? `: ${pull.url}` : "."}\n`);
  });

/** `grove pr ready [workspace]`: marks the draft as ready for review. */
export const markReady = (wanted: string | undefined, { dataDir, json }: WorkspaceOptions, env: Env) =>
  withWorkspace(wanted, dataDir, env, async (open) => {
    const { client, ids } = open;
    const { id: changeId } = await requireChange(open);
    const pull = await client.workspace.change.markReady.mutate({
      organizationId: ids.organizationId,
      changeId,
    });
    if (json) printJson(pull);
    else print(`Pull request #${pull.number} is ready for review.\n`);
  });

/** @throws {UserError} if the workspace has no change */
async function requireChange(open: OpenWorkspace): Promise<Change> {
  const change = await readChange(open);
  if (change) return change;
  throw new UserError(
    "Could not find a change for this workspace: it was created on its project's default branch, or on no branch. Create a workspace on another branch.",
  );
}

const readChange = async ({ client, ids }: OpenWorkspace): Promise<Change | undefined> =>
  (await client.workspace.change.list.query({ ...ids, limit: 1 }))[0];

async function readProgress(open: OpenWorkspace): Promise<Progress> {
  const { client, ids } = open;
  const [status, change] = await Promise.all([client.workspace.change.status.query(ids), readChange(open)]);
  const pull = change?.pullRequest
    ? await client.workspace.change.pullStatus.query({
        organizationId: ids.organizationId,
        changeId: change.id,
      })
    : null;
  return { status, change, pull };
}

const hooksText = (skipped: readonly string[]): string =>
  skipped.length === 0
    ? ""
    : `\nHooks that this machine's owner does not allow were not run: ${skipped.join(", ")}.`;

function progressText(
  { status, change, pull }: Progress,
  { workspace: { name }, command }: OpenWorkspace,
): string {
  const { branch, base, ahead, behind, uncommittedFiles, remote, remoteHead, head, inTheMiddle } = status;
  const isPushed = remoteHead === head;
  const lines = [
    `${branch ?? "No branch"}, to be merged into ${base}`,
    `  ${uncommittedFiles === 0 ? "nothing to commit" : pluralize(uncommittedFiles, "uncommitted file")}`,
    ahead === null
      ? "  the base no longer exists"
      : `  ${pluralize(ahead, "commit")} ahead, ${behind} behind`,
    `  ${remote === null ? "no remote matches the project's URL" : isPushed ? "pushed" : "not pushed"}`,
    ...(inTheMiddle === null ? [] : [`  a ${inTheMiddle} is in progress`]),
    ...(change?.summary ? [`Finished: ${change.summary}`] : []),
    ...(pull ? pullLines(pull) : ["No pull request"]),
  ];
  const next =
    uncommittedFiles > 0
      ? command("pr", "commit", name)
      : !isPushed && ahead && remote !== null
        ? command("pr", "push", name)
        : pull?.state === "draft"
          ? command("pr", "ready", name)
          : pull || !ahead || !isPushed
            ? undefined
            : command("pr", "open", name);
  return `${lines.join("\n")}\n${next ? `Next: ${next}\n` : ""}`;
}

function pullLines({ number, state, url, checks, blocks, mergeable }: PullStatus): string[] {
  return [
    `Pull request #${number}, ${state}${url ? `: ${url}` : ""}`,
    ...checks.map(({ name, state }) => `  check ${name}: ${state}`),
    ...blocks.map((block) => `  blocked: ${blockText(block)}`),
    ...(blocks.length === 0 && mergeable === "yes" ? ["  ready: approve and merge it in the console"] : []),
  ];
}
