import { type DeviceToolParams, DIFF_FILES, type DiffFile, type WorkspaceDiff } from "@grove/schemas";
import { CommandFailure } from "../errors";
import { comparedBase } from "../git/base";
import { type Change, listChanges } from "../git/diff/changes";
import { type Compared, comparing, headOf } from "../git/diff/compared";
import { bytePath, contentId } from "../git/diff/content";
import { shown } from "../git/diff/names";
import { readPatches } from "../git/diff/patches";
import type { ToolDeps } from "./deps";
import type { Tool } from "./tool";
import { findWorkspace, openWorkspace } from "./workspace/onDevice";

type Params = DeviceToolParams<"get_workspace_diff">;

/** get_workspace_diff: shows what a worktree changes, with everything that is not committed. */
export const getWorkspaceDiff = (deps: ToolDeps): Tool<"get_workspace_diff"> => ({
  async run(params, { signal }) {
    const found = await findWorkspace(deps, params.workspaceId);
    const tree = await openWorkspace(deps, found);
    const { baseBranch: base } = found;
    const [head, compared] = await Promise.all([
      headOf(tree),
      params.against === "head" ? undefined : comparedBase(tree, found, signal),
    ]);
    const from = params.against === "head" ? head : compared?.fork;
    if (from === undefined) throw baseUnknown(base);
    return comparing({ tree, commit: from, signal }, async (compared) => {
      const changes = await listChanges(compared, params);
      const chosen = changes.filter(({ name }) => isAmong(params.paths, shown(name)));
      const sum = (of: (change: Change) => number) => chosen.reduce((total, each) => total + of(each), 0);
      const whole: Omit<WorkspaceDiff, "files" | "truncated"> = {
        ...{ base, from, head },
        filesTotal: chosen.length + unseen(compared, params),
        insertions: sum(({ insertions }) => insertions),
        deletions: sum(({ deletions }) => deletions),
        untracked: compared.untracked.length,
      };
      const files = await describe(
        compared,
        chosen,
        params,
        weigh({ ...whole, files: [], truncated: false }),
      );
      const isWhole =
        files.length === whole.filesTotal && files.every(({ omitted }) => omitted !== "no_room");
      return { ...whole, files, truncated: !isWhole };
    });
  },
});

const baseUnknown = (base: string) =>
  new CommandFailure(
    "base_unknown",
    `"${base}" is no longer in the repository, or shares no commit with this worktree. Compare with head instead.`,
  );

/** How many untracked files were not read. */
const unseen = ({ untracked }: Compared, { paths }: Params): number =>
  paths ? 0 : Math.max(0, untracked.length - DIFF_FILES.untracked);

const isAmong = (paths: string[] | undefined, name: string): boolean =>
  !paths || paths.some((path) => name === path || name.startsWith(path.endsWith("/") ? path : `${path}/`));

/** The bytes that a value takes in the report. */
const weigh = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The files for the caller, with as many patches as there is room for. The names come first. */
async function describe(
  compared: Compared,
  changes: Change[],
  params: Params,
  weight: number,
): Promise<DiffFile[]> {
  const files = new Map<Change, DiffFile>();
  let room = params.maxBytes - weight;
  for (const change of changes.slice(0, DIFF_FILES.most)) {
    const file = await toFile(compared, change);
    // A comma, and the longest word for what is missing, which may still be set.
    room -= weigh(file) + 1 + `"too_large"`.length;
    if (room < 0) break;
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
    // Git leaves out files in which nothing but ignored space has changed, and those that are back as they were.
    const isNothing = bytes === undefined && !patches.cutIn && patches.asked.has(change);
    const patch = isNothing ? "" : bytes === undefined ? undefined : text(bytes);
    const size = patch === undefined ? (isCut ? (patches.cutIn?.bytes ?? 0) : 0) : weigh(patch);
    if (size > params.maxBytes - weight - weigh(file)) file.omitted = "too_large";
    else if (patch === undefined || size > room) file.omitted = "no_room";
    else {
      room -= size;
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
    ...{ status, insertions, deletions, binary, oldMode, mode },
    blob: blob ?? (mode === null ? null : await contentId(bytePath(tree.path, name), hash)),
    patch: null,
    omitted,
  };
}
