import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { commitId, id, line } from "../values";

/* Inputs and results of the tools and procedures that save and restore the files of a worktree. */

/**
 * Why no points are made: `restorePoints` is false in the device's `config.json` or in the project's settings, or a
 * remote has `mirror` set, to which points would be pushed.
 */
export const pointsOff = z.enum(["config", "project", "mirror"]);
export type PointsOff = z.infer<typeof pointsOff>;

/**
 * A file that a restore point does not hold: it is over 20 MB, or all files together are over 200 MB; it is another
 * repository, or a submodule with uncommitted changes; git could not read it. Ignored files are not named.
 */
export const skippedFile = z.strictObject({
  path: z.string(),
  why: z.enum(["too_large", "total_too_large", "repository", "submodule", "unreadable"]),
});
export type SkippedFile = z.infer<typeof skippedFile>;

export const makePointParams = z.strictObject({
  workspaceId: id,
  turn: z
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe("The point's number, if it is higher than the newest one's; otherwise the next number"),
});

export const madePoint = z.strictObject({
  /** The commit with the files; the newest point's commit if nothing has changed since. Null if `off` is set. */
  point: z.string().nullable(),
  turn: z.number().int().nullable(),
  skipped: z.array(skippedFile),
  off: pointsOff.optional(),
});

export const listPointsParams = z.strictObject({ workspaceId: id });

/** Points, newest first. */
export const listedPoints = z.strictObject({
  /** The commit that is checked out, which a restoration must name; null before the first one. */
  head: z.string().nullable(),
  /** Set if no new points are made. */
  off: pointsOff.optional(),
  points: z.array(
    z.strictObject({
      /** The commit with the files. */
      point: z.string(),
      /** `fork`: the commit where the workspace began. `turn`: a restore point. */
      kind: z.enum(["fork", "turn"]),
      turn: z.number().int().nullable(),
      at: z.string(),
      /** Compared with the point before: changed files, and added and removed lines. */
      files: z.number().int(),
      added: z.number().int(),
      removed: z.number().int(),
    }),
  ),
});
export type ListedPoints = z.infer<typeof listedPoints>;

const restoration = {
  workspaceId: id,
  point: commitId,
  mode: z
    .enum(["files", "branch"])
    .describe("files: only the files come back; branch: the branch also returns to the commit it was at"),
  expectHead: commitId.describe("The commit that is checked out, as the caller knows it"),
};
export const restorePointParams = z.strictObject(restoration);

export const restoredPoint = z.strictObject({
  /** The restore point of the replaced files, which brings them back. */
  newPoint: z.string(),
});

export const workspaceListPointsInput = z.object({ ...organizationScope, workspaceId: id });
export const workspaceUndoInput = z.strictObject({
  ...organizationScope,
  ...restoration,
  /** With the same key, a repeated call within 24 hours restores nothing again. */
  idempotencyKey: line(200).optional(),
});
