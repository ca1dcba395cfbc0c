import { type DeviceToolParams, DIFF_FILES, type DiffFile, type WorkspaceDiff } from "@grove/schemas";
import { type Change, listChanges } from "../git/diff/changes";
import { type Compared, comparing, headOf, unlistedFiles } from "../git/diff/compared";
import { bytePath, contentId } from "../git/diff/contentId";
import { readPatches } from "../git/diff/patches";
import { shown } from "../git/diff/rawNames";
import type { OpenWorktree } from "../git/worktree/openWorktree";
import type { LocalWorkspace } from "../home/store";
import { findWorkspace } from "../home/workspaces";
import type { Tool } from "../tool";
import type { ToolDeps } from "./deps";
import { comparedCommit } from "./review/comparedCommit";
import { withDiffSnapshot } from "./review/diffSnapshot";
import { openWorkspace } from "./workspace/openWorkspace";

type Params = DeviceToolParams<"get_workspace_diff">;

/** get_workspace_diff: shows what a worktree changes, with everything that is not committed. */
export const getWorkspaceDiffTool = (deps: ToolDeps): Tool<"get_workspace_diff"> => ({
  async run(params, { signal }) {
    const found = await findWorkspace(deps, params.workspaceId);
    const tree = await openWorkspace(deps, found);
    const read = () => readDiff(tree, found, params, signal);
    if (!params.snapshot) return read();
    return withDiffSnapshot(deps, { tree, workspaceId: found.id }, read, signal);
  },
});

async function readDiff(
  tree: OpenWorktree,
  workspace: LocalWorkspace,
  params: Params,
  signal: AbortSignal,
): Promise<WorkspaceDiff> {
  const { baseBranch: base } = workspace;
  const head = await headOf(tree);
  const baseCommit = await comparedCommit(tree, workspace, params.against, signal);
  return comparing({ tree, commit: baseCommit, signal }, async (compared) => {
    const changes = await listChanges(compared, params);
    const chosen = changes.filter(({ name }) => isAmong(params.paths, shown(name)));
    const sum = (of: (change: Change) => number) => chosen.reduce((total, each) => total + of(each), 0);
    const summary: Omit<WorkspaceDiff, "files" | "truncated"> = {
      base,
      from: baseCommit,
      head,
      filesTotal: chosen.length + (params.paths ? 0 : unlistedFiles(compared)),
      insertions: sum(({ insertions }) => insertions),
      deletions: sum(({ deletions }) => deletions),
      untracked: compared.untracked.length,
    };
    const files = await describe(
      compared,
      chosen,
      params,
      weigh({ ...summary, files: [], truncated: false }),
    );
    const isWhole =
      files.length === summary.filesTotal && files.every(({ omitted }) => omitted !== "no_room");
    return { ...summary, files, truncated: !isWhole };
  });
}

const isAmong = (paths: string[] | undefined, name: string): boolean =>
  !paths || paths.some((path) => name === path || name.startsWith(path.endsWith("/") ? path : `${path}/`));

/** The bytes that a value takes in the report. */
const weigh = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns the files for the caller, with as many patches as fit. Names have priority. */
async function describe(
  compared: Compared,
  changes: Change[],
  params: Params,
  weight: number,
): Promise<DiffFile[]> {
  const files = new Map<Change, DiffFile>();
  let remaining = params.maxBytes - weight;
  for (const change of changes.slice(0, DIFF_FILES.max)) {
    const file = await toFile(compared, change);
    // A comma, and the longest reason for a missing patch, which may still be added.
    remaining -= weigh(file) + 1 + `"too_large"`.length;
    if (remaining < 0) break;
    files.set(change, file);
  }
  const wanted = [...files.keys()].filter(
    ({ binary, omitted }) => !params.summary && !binary && omitted === null,
  );
  const patches = await readPatches(compared, wanted, { ...params, enoughBytes: 2 * params.maxBytes });
  for (const change of wanted) {
    const file = files.get(change);
    if (!file) continue;
    const bytes = patches.of(change);
    const isCut = patches.cutIn?.change === change;
    // Git leaves out files in which only ignored white space has changed, and files whose changes were reverted.
    const isNothing = bytes === undefined && !patches.cutIn && patches.asked.has(change);
    const patch = isNothing ? "" : bytes === undefined ? undefined : text(bytes);
    const size = patch === undefined ? (isCut ? (patches.cutIn?.bytes ?? 0) : 0) : weigh(patch);
    if (size > params.maxBytes - weight - weigh(file)) file.omitted = "too_large";
    else if (patch === undefined || size > remaining) file.omitted = "no_room";
    else {
      remaining -= size;
      file.patch = patch;
    }
  }
  return [...files.values()];
}

/** The text of bytes. A database stores no NUL, which a text may have far behind its beginning. */
const text = (bytes: string): string =>
  Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\0", "\u2400");

async function toFile({ tree, hash }: Compared, change: Change): Promise<DiffFile> {
  const { name, oldName, blob, status, insertions, deletions, binary, oldMode, mode, omitted } = change;
  return {
    path: shown(name),
    oldPath: oldName === null ? null : shown(oldName),
    status,
    insertions,
    deletions,
    binary,
    oldMode,
    mode,
    blob: blob ?? (mode === null ? null : await contentId(bytePath(tree.path, name), hash)),
    patch: null,
    omitted,
  };
}
