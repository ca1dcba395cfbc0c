import { defineTool } from "@grove/mcp";
import { id, type WorkspaceDetails, workspaceDetails, workspaceOnDevice } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext } from "../apiSession";
import { pending } from "../outcome";
import { optionalDeviceId, resolveDevice } from "../resolveDevice";
import { runOnDevice } from "../runOnDevice";

export const getWorkspaceDetails = defineTool({
  name: "get_workspace_details",
  title: "Get workspace details",
  description:
    "Shows a git worktree workspace: changed files, last commits, diff against its base, agent sessions with their last output. Use it to see how work stands, and before you delete one.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ deviceId: optionalDeviceId, workspaceId: id.describe("Which") }),
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
    pending,
  }),
  async run({ deviceId: given, workspaceId }, context: CloudContext) {
    const deviceId = await resolveDevice(context, given);
    const { result, pending } = await runOnDevice(context, deviceId, "get_workspace_details", {
      workspaceId,
    });
    if (!result) return { deviceId, pending };
    return { deviceId, ...toDetails(result) };
  },
});

function toDetails({ workspace, changes, changesTotal, commits, diff, sessions }: WorkspaceDetails) {
  return {
    workspace,
    changes: changes.map(({ status, path }) => `${status} ${path}`),
    changesTotal,
    truncated: changesTotal > changes.length,
    commits: commits.map(({ sha, subject, author, at }) => `${sha} ${subject} (${author}, ${at})`),
    ...(diff && {
      diff: `${diff.filesChanged} files changed, ${diff.insertions} insertions, ${diff.deletions} deletions against ${diff.base}`,
    }),
    sessions,
  };
}
