import type { DiffFile, ReadFile } from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import { runTool } from "../lib/commands/deviceTools";

/** Where the two sides of a diff are: in a commit, and in the worktree. */
export interface DiffSource {
  target: { organizationId: string; deviceId: string };
  workspaceId: string;
  /** The commit before the changes; null if there is none. */
  from: string | null;
}

/** The parameters that read a file before or after the changes; undefined if that side has no such file. */
function paramsOf({ workspaceId, from }: DiffSource, file: DiffFile, side: "before" | "after") {
  if (side === "after")
    return file.status === "deleted" ? undefined : { workspaceId, path: file.path, offset: 0 };
  if (from === null || file.status === "added" || file.status === "untracked") return undefined;
  return { workspaceId, path: file.oldPath ?? file.path, commit: from, offset: 0 };
}

/** Query options for a picture of a diff; undefined if that side has none. */
export function pictureQuery(source: DiffSource, file: DiffFile, side: "before" | "after") {
  const params = paramsOf(source, file, side);
  if (!params) return undefined;
  const { target } = source;
  return queryOptions({
    // The worktree's file is read again when its content has changed.
    queryKey: ["deviceTool", target.deviceId, "read_file", params, file.blob],
    queryFn: ({ signal }) => runTool(target, "read_file", params, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/**
 * Reads the whole text of a file before or after the changes.
 * @throws {Error} if it has none
 */
export async function readSide(
  source: DiffSource,
  file: DiffFile,
  side: "before" | "after",
): Promise<string> {
  const params = paramsOf(source, file, side);
  if (!params) throw new Error(`There is no file ${file.path} on this side of the changes.`);
  let text = "";
  let offset: number | null = 0;
  while (offset !== null) {
    const part: ReadFile = await runTool(source.target, "read_file", { ...params, offset });
    if (part.text === undefined) throw new Error(`${file.path} is no text.`);
    text += part.text;
    offset = part.nextOffset;
  }
  return text;
}
