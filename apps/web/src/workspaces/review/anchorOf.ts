import type { Anchor, DiffFile } from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import type { CommentFile, CommentRange } from "../../diff/selection/commentRange";
import { runTool } from "../../lib/commands/deviceTools";
import { comparedWith, type DiffInput } from "../view/diffQuery";

/** A file or lines of it, with the file as it is on the screen. */
interface ShownPlace {
  place: CommentFile | CommentRange;
  shown: DiffFile;
  /** The commit on the other side of the changes on the screen. */
  from: string | null;
}

/** A comment that the user has begun. */
export interface NewComment {
  id: string;
  on: ShownPlace | "change";
}

type Compared = Pick<DiffInput, "target" | "workspaceId" | "against">;

/** The anchor of a comment that the user has begun. It is read once. */
export const newAnchorQuery = (input: Compared, { id, on }: NewComment) =>
  queryOptions({
    queryKey: ["reviewAnchor", id],
    queryFn: () => (on === "change" ? changeAnchor(input) : placeAnchor(input, on)),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/**
 * Returns the anchor of the whole change, in a commit with the current files.
 * @throws {Error} if the device makes no restore points
 */
async function changeAnchor({ target, workspaceId }: Compared): Promise<Anchor> {
  const { point } = await runTool(target, "make_point", { workspaceId });
  if (point === null)
    throw new Error("The machine could not save this version of the files. Restore points may be off.");
  return { point };
}

/**
 * Returns the anchor of a file or lines of it, in a commit with the version that the user sees.
 * @throws {Error} if the file has changed since, or the device makes no restore points
 */
async function placeAnchor(
  { target, workspaceId, against }: Compared,
  { place: { path, ...place }, shown, from: shownFrom }: ShownPlace,
): Promise<Anchor> {
  const { files, from, snapshot } = await runTool(target, "get_workspace_diff", {
    workspaceId,
    paths: [path],
    context: 0,
    maxBytes: 100_000,
    summary: true,
    snapshot: true,
    ignoreWhitespace: false,
    against: comparedWith(against),
  });
  const file = files.find((each) => each.path === path);
  // Another turn may have begun, or the base may have moved.
  const isOtherVersion = place.side === "before" ? from !== shownFrom : file?.blob !== shown.blob;
  if (!file || isOtherVersion)
    throw new Error("The file has changed since it was shown. Show the latest changes, then comment again.");
  const blobs = snapshot?.files.find((each) => each.path === path);
  const blob = blobs?.[place.side];
  const point = place.side === "before" ? from : snapshot?.point;
  if (!snapshot || !point)
    throw new Error("The machine could not save this version of the file. Restore points may be off.");
  if (!blob)
    throw new Error(
      "The restore point has no such file: it may be a submodule, or too large. Comment on the whole change instead.",
    );
  return { ...place, point, blob, path: place.side === "before" ? (file.oldPath ?? path) : path };
}
