import {
  type GateRun,
  MAX_SCRIPT_OUTPUT_BYTES,
  type RunGateParams,
  redactKnownSecrets,
  visibleLines,
} from "@grove/schemas";
import { comparedBase } from "../../git/compareBase";
import { writeCommit } from "../../git/points/pointRefs";
import { withSnapshot } from "../../git/points/snapshot";
import { savePoint, treeOf } from "../../git/points/writePoint";
import { currentCommit } from "../../git/refs";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { copyIncluded, hasIncludeFile } from "../../git/worktree/worktreeInclude";
import type { LocalWorkspace } from "../../home/store";
import { findWorkspace } from "../../home/workspaces";
import { lastBytes } from "../../lib/outputTail";
import type { Tool, ToolContext } from "../../tool";
import type { ToolDeps } from "../deps";
import {
  type EndedScript,
  findScript,
  runScript,
  type ScriptOf,
  scriptPath,
} from "../projects/repositoryScript";
import { openWorkspace, repositoryOf } from "../workspace/openWorkspace";
import { pointsOff } from "../workspace/pointsOff";
import { recoverGateWorktrees, withGateWorktree } from "./gateWorktree";

/** A run that ended by itself. */
interface LastRun {
  result: GateRun;
  /** The git object of the base's `.grove`. */
  scripts: string;
}

/** The last run of each workspace since this process started, the newest last. */
type LastRuns = Map<string, LastRun>;
/** The most last runs that are kept. Work of other workspaces runs the gate again. */
const MAX_LAST_RUNS = 100;

/** run_gate: runs `.grove/check` of the base on the work of a workspace. The workspace itself is only read. */
export function runGateTool(deps: ToolDeps): Tool<"run_gate"> {
  const lastRuns: LastRuns = new Map();
  return {
    // One after another, since the gates of a workspace share its ports.
    run(params, context) {
      const run = () => runGate(deps, lastRuns, params, context);
      return deps.locks.run(`gate ${params.workspaceId}`, run, context.signal);
    },
    recover: (notes, context) => recoverGateWorktrees(deps, notes, context),
  };
}

async function runGate(
  deps: ToolDeps,
  lastRuns: LastRuns,
  { workspaceId, reuseResult }: RunGateParams,
  context: ToolContext,
): Promise<GateRun> {
  const { signal } = context;
  const workspace = await findWorkspace(deps, workspaceId);
  const worktree = await openWorkspace(deps, workspace);
  const repository = (await repositoryOf(deps, workspace)) ?? worktree.path;
  const base = (await comparedBase(worktree, workspace, signal))?.commit ?? workspace.baseCommit;
  const found = await findScript(deps, "check", { repository, commit: base }, signal);
  if (!found) return notRun("none", "");
  if ("notAllowed" in found) return notRun("not_allowed", found.notAllowed);
  const save = () => currentWork(deps, worktree, workspace, signal);
  const work = await deps.locks.run(workspace.path, save, signal);
  const scripts = (
    await deps.git(["rev-parse", "--verify", `${base}:.grove`], { cwd: repository, signal })
  ).trim();
  const last = lastRuns.get(workspaceId);
  if (reuseResult && last?.result.tree === work.tree && last.scripts === scripts)
    return { ...last.result, ...work };
  const ended = await withGateWorktree(deps, { repository, commit: work.commit }, context, (path) =>
    runScripts(deps, found.script, { repository, commit: base, workspace: { ...workspace, path } }, context),
  );
  const result = { ...toResult(ended), ...work };
  keepLastRun(lastRuns, workspaceId, { result, scripts });
  return result;
}

function keepLastRun(lastRuns: LastRuns, workspaceId: string, run: LastRun): void {
  lastRuns.delete(workspaceId);
  lastRuns.set(workspaceId, run);
  const [oldest] = lastRuns.keys();
  if (lastRuns.size > MAX_LAST_RUNS && oldest !== undefined) lastRuns.delete(oldest);
}

const notRun = (outcome: GateRun["outcome"], output: string): GateRun => ({
  outcome,
  output,
  exitCode: null,
  timedOut: false,
  commit: null,
  tree: null,
  head: null,
});

/** Returns HEAD, or a restore point of uncommitted work. Where points are off, no ref keeps that commit. */
const currentWork = (
  deps: ToolDeps,
  worktree: OpenWorktree,
  { id: workspaceId, projectId }: LocalWorkspace,
  signal: AbortSignal,
): Promise<Pick<GateRun, "commit" | "tree" | "head"> & { commit: string }> =>
  withSnapshot(
    worktree,
    signal,
    async (snapshot) => {
      const { git, path } = worktree;
      const { tree } = snapshot;
      const head = await currentCommit(git, path);
      if (head !== undefined && (await treeOf(git, head)) === tree) return { commit: head, tree, head };
      const parents = head === undefined ? [] : [head];
      const commit =
        (await pointsOff(deps, projectId, path)) === undefined
          ? (await savePoint(worktree, snapshot, { workspaceId })).point
          : await writeCommit(git, path, { tree, parents, message: "Checked files" });
      return { commit, tree, head: null };
    },
    { withoutMarked: true },
  );

interface EndedGate extends EndedScript {
  name: "setup" | "check";
}

/** Prepares the gate's worktree as a new workspace's, then runs the check script. A failed setup ends the gate. */
async function runScripts(
  deps: ToolDeps,
  script: string,
  of: ScriptOf,
  { signal, progress }: ToolContext,
): Promise<EndedGate> {
  const { git, home } = deps;
  const { repository, workspace } = of;
  if (await hasIncludeFile(repository))
    await copyIncluded(git, { repository, path: workspace.path, except: home.root }, signal);
  const setup = await findScript(deps, "setup", of, signal);
  if (setup && "script" in setup) {
    const ended = await runScript(deps, "setup", setup.script, of, { signal, progress });
    if (ended.failure !== undefined) return { ...ended, name: "setup" };
  }
  return { ...(await runScript(deps, "check", script, of, { signal, progress })), name: "check" };
}

function toResult({ name, run, failure }: EndedGate) {
  const { exitCode, timedOut } = run;
  const note = name === "setup" ? `${scriptPath(name)} failed, so the check script did not run.\n` : "";
  const output = lastBytes(visibleLines(redactKnownSecrets(run.output)) + note, MAX_SCRIPT_OUTPUT_BYTES);
  return {
    outcome: failure === undefined ? ("passed" as const) : ("failed" as const),
    exitCode,
    timedOut,
    output,
  };
}
