import type { DiffFile, DiffOmitted } from "@grove/schemas";
import type { ApiContext } from "../api/apiSession";
import { runOnDevice } from "../api/runOnDevice";
import { textPart } from "./textPart";

/** The most that a device reports. A file that does not fit is named, and can be read by its path. */
const MAX_BYTES = 200_000;

/**
 * Reads a part of a workspace's diff, as text. Each part compares again: changes in between shift the offsets.
 */
export async function readDiff(
  context: ApiContext,
  deviceId: string,
  workspaceId: string,
  { offset, path }: { offset: number; path: string | undefined },
) {
  const { result, pending } = await runOnDevice(context, deviceId, "get_workspace_diff", {
    workspaceId,
    against: "base",
    ...(path !== undefined && { paths: [path] }),
    context: 3,
    ignoreWhitespace: false,
    maxBytes: MAX_BYTES,
    summary: false,
    snapshot: false,
  });
  if (!result) return { pending };
  const unnamed = result.filesTotal - result.files.length;
  const omittedText = unnamed > 0 ? `${unnamed} more files differ: read them by path.\n` : "";
  const { part, next } = textPart(result.files.map(toText).join("") + omittedText, offset);
  return { diffText: part, ...(next !== null && { nextOffset: next }) };
}

const reasons: Record<DiffOmitted, string> = {
  too_large: "too large to show",
  no_room: "omitted: read it by path",
  submodule: "changes inside a submodule",
};

function toText({ path, patch, binary, omitted, status }: DiffFile): string {
  if (patch) return patch.endsWith("\n") ? patch : `${patch}\n`;
  const reason = omitted ? reasons[omitted] : binary ? "binary" : "no changed lines";
  return `${path}: ${status}, ${reason}\n`;
}
