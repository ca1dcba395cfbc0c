import { defineTool, ToolError } from "@grove/mcp";
import { id, type WorkspaceDetails, workspaceDetails, workspaceOnDevice } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { optionalDeviceId, resolveDevice } from "../api/resolveDevice";
import { runOnDevice } from "../api/runOnDevice";
import { readDiff } from "../shared/diff";

export const getWorkspaceDetails = defineTool({
  name: "get_workspace_details",
  title: "Get workspace details",
  description:
    "Shows a git worktree workspace: changed files, last commits, agent sessions, and its diff's size or, with diffOffset, lines. Use it to check progress.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    deviceId: optionalDeviceId,
    workspaceId: id.describe("Which"),
    diffOffset: z.number().int().min(0).optional().describe("0, then `nextOffset`"),
    path: z.string().min(1).max(4096).optional().describe("Only this file or directory"),
  }),
  output: z.strictObject({
    deviceId: id,
    workspace: workspaceOnDevice.optional(),
    /** In the format of `git status --short`. */
    changes: z.array(z.string()).optional(),
    changesTotal: z.number().int().optional(),
    /** Whether there are more changes than listed. */
    truncated: z.boolean().optional(),
    /** Newest first: hash, subject, author, time. */
    commits: z.array(z.string()).optional(),
    /** Against the base, including uncommitted work; left out if the base is unknown. */
    diff: z.string().optional(),
    sessions: workspaceDetails.shape.sessions.optional(),
    /** A part of the unified diff, including uncommitted work. */
    diffText: z.string().optional(),
    /** The offset of the next part; left out at the end. */
    nextOffset: z.number().int().optional(),
    pending,
  }),
  async run({ deviceId: given, workspaceId, diffOffset, path }, context: ApiContext) {
    if (path !== undefined && diffOffset === undefined) throw pathAlone(path);
    const deviceId = await resolveDevice(context, given);
    if (diffOffset !== undefined)
      return { deviceId, ...(await readDiff(context, deviceId, workspaceId, { offset: diffOffset, path })) };
    const { result, pending } = await runOnDevice(context, deviceId, "get_workspace_details", {
      workspaceId,
    });
    if (!result) return { deviceId, pending };
    return { deviceId, ...toDetails(result) };
  },
});

const pathAlone = (path: string) =>
  new ToolError(
    "invalid_input",
    `path ${JSON.stringify(path)} is given without diffOffset`,
    "Give diffOffset 0 too, to read the lines that the workspace changes there.",
  );

function toDetails({ workspace, changes, changesTotal, commits, diff, sessions }: WorkspaceDetails) {
  return {
    workspace,
    changes: changes.map(({ status, path, oldPath }) =>
      oldPath === undefined ? `${status} ${path}` : `${status} ${oldPath} -> ${path}`,
    ),
    changesTotal,
    truncated: changesTotal > changes.length,
    commits: commits.map(({ sha, subject, author, at }) => `${sha} ${subject} (${author}, ${at})`),
    ...(diff && {
      diff: `${diff.filesChanged} files changed, ${diff.insertions} insertions, ${diff.deletions} deletions against ${diff.base}`,
    }),
    sessions,
  };
}
