import {
  type Anchor,
  type DeviceToolName,
  type DeviceToolParams,
  type DeviceToolResult,
  deviceTools,
} from "@grove/schemas";
import { UserError } from "../errors";
import type { OpenWorkspace } from "../local/workspace";

/** How long the machine may take to read a file's changes. */
const WAIT_MS = 30_000;

const TURN_ON = "Check that restorePoints is on in the machine's config.json and in the project's settings.";

/** A file, or lines of it. */
interface Place {
  path: string;
  lines?: { from: number; to: number };
}

/**
 * Parses the arguments of `grove review comment`.
 * @returns the comment, and its anchor unless it applies to the whole change
 * @throws {UserError}
 */
export function parseComment(
  words: readonly string[],
  { change, before }: { change: boolean; before: boolean },
): { place?: Place; body: string } {
  const [first = "", second, ...others] = words;
  if (change) {
    if (first === "" || second !== undefined)
      throw new UserError('With --change, give only the comment, in quotes: --change "Add a test."');
    if (before)
      throw new UserError("--before is for a file. Leave it out, or name a file instead of --change.");
    return { body: first };
  }
  if (second === undefined || others.length > 0)
    throw new UserError(
      'Name a file or lines, then the comment in quotes: src/login.ts:40-42 "Check this." On the whole change: --change "Add a test."',
    );
  return { place: parsePlace(first), body: second };
}

/** @throws {UserError} */
function parsePlace(place: string): Place {
  const [, path, from, to = from] = /^(.+):(\d+)(?:-(\d+))?$/.exec(place) ?? [];
  if (path === undefined) return { path: place };
  const lines = { from: Number(from), to: Number(to) };
  if (lines.from < 1 || lines.to < lines.from)
    throw new UserError(
      `"${place}" is not a line range. Write for example src/login.ts:40-42, or src/login.ts for the whole file.`,
    );
  return { path, lines };
}

/**
 * Returns the anchor of a changed file, or of lines of it.
 * @param before whether it is on the file as it was before the change. A deleted file always uses this side.
 * @throws {UserError} if the file has no changes, or the machine makes no restore points
 */
export async function anchorIn(
  open: OpenWorkspace,
  { path, lines }: Place,
  before: boolean,
): Promise<Anchor> {
  const options = { context: 0, maxBytes: 100_000, summary: true, snapshot: true, ignoreWhitespace: false };
  const { files, from, snapshot } = await runTool(open, "get_workspace_diff", {
    ...options,
    workspaceId: open.ids.workspaceId,
    paths: [path],
    against: "base",
  });
  const file = files.find((each) => each.path === path);
  if (!file)
    throw new UserError(
      `${path} has no changes against the base, so it cannot be commented on. Name a changed file from the root of the worktree, or comment on the whole change with --change.`,
    );
  if (before && (file.status === "added" || file.status === "untracked"))
    throw new UserError(`${path} did not exist before the change. Leave out --before.`);
  const side = before || file.status === "deleted" ? "before" : "after";
  const blob = snapshot?.files.find((each) => each.path === path)?.[side];
  const point = side === "before" ? from : snapshot?.point;
  if (!snapshot || !point)
    throw new UserError(`The machine could not save this version of the file. ${TURN_ON}`);
  if (!blob)
    throw new UserError(
      `The restore point has no ${path}: it may be a submodule, or too large. Comment on the whole change with --change.`,
    );
  return { ...lines, side, point, blob, path: side === "before" ? (file.oldPath ?? path) : path };
}

/**
 * Returns a restore point of the worktree as it is now.
 * @throws {UserError} if the machine makes none
 */
export async function pointOf(open: OpenWorkspace): Promise<string> {
  const { point } = await runTool(open, "make_point", { workspaceId: open.ids.workspaceId });
  if (point === null) throw new UserError(`The machine could not save this version of the files. ${TURN_ON}`);
  return point;
}

/** @throws {UserError} if it ends without a result */
async function runTool<Name extends DeviceToolName>(
  { client, ids: { organizationId }, workspace: { deviceId } }: OpenWorkspace,
  tool: Name,
  params: DeviceToolParams<Name>,
): Promise<DeviceToolResult<Name>> {
  if (deviceId === null) throw new UserError("The workspace is on no machine.");
  const call = { organizationId, deviceId, tool, params, waitMs: WAIT_MS };
  const { status, result, error } = await client.agent.execute.mutate(call);
  if (status !== "succeeded")
    throw new UserError(error?.message ?? `The machine has not answered: ${status}.`);
  return deviceTools[tool].result.parse(result) as DeviceToolResult<Name>;
}
