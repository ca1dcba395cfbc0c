import type { Anchor, DiffFile } from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import type { CommentRange } from "../../diff/selection/commentRange";
import { runTool } from "../../lib/deviceTools";
import type { DiffInput } from "../view/diffQuery";

/** A comment that the user has begun, on lines of a file as it is on the screen. */
export interface NewComment {
  id: string;
  range: CommentRange;
  shown: DiffFile;
}

type Compared = Pick<DiffInput, "target" | "workspaceId" | "against">;

/** The anchor of a comment that the user has begun. It is read once. */
export const newAnchorQuery = (input: Compared, { id, range, shown }: NewComment) =>
  queryOptions({
    queryKey: ["reviewAnchor", id],
    queryFn: () => anchorOf(input, range, shown),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/**
 * Returns the anchor of lines, in a commit with the lines that the user sees.
 * @param shown the file as it is on the screen
 * @throws {Error} if the file has changed since, or the device makes no restore points
 */
async function anchorOf(
  { target, workspaceId, against }: Compared,
  { path, ...lines }: CommentRange,
  shown: DiffFile,
): Promise<Anchor> {
  const { files, from, snapshot } = await runTool(target, "get_workspace_diff", {
    workspaceId,
    paths: [path],
    context: 0,
    maxBytes: 100_000,
    summary: true,
    snapshot: true,
    ignoreWhitespace: false,
    against: against === "base" || against === "head" ? against : { point: against },
  });
  const file = files.find((each) => each.path === path);
  if (!file || file.blob !== shown.blob)
    throw new Error("The file has changed since it was shown. Show the latest changes, then comment again.");
  const blobs = snapshot?.files.find((each) => each.path === path);
  const blob = blobs?.[lines.side];
  const point = lines.side === "before" ? from : snapshot?.point;
  if (!blob || !point)
    throw new Error("The machine could not save this version of the file. Restore points may be off.");
  return { ...lines, point, blob, path: lines.side === "before" ? (file.oldPath ?? path) : path };
}
