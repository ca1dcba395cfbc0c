import type { DeviceToolParams, DiffFile } from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import { type ReadDiff, splitDiff } from "../../diff/patch/splitDiff";
import { runTool } from "../../lib/commands/deviceTools";

/** A comparison that the machine computes. */
export interface DiffInput {
  target: { organizationId: string; deviceId: string };
  workspaceId: string;
  /** `base`, `head`, `turn`, or the commit of a restore point. */
  against: string;
  ignoreWhitespace: boolean;
}

type DiffOptions = Pick<
  DeviceToolParams<"get_workspace_diff">,
  "context" | "maxBytes" | "summary" | "snapshot" | "paths"
>;

const LIST_ONLY = { context: 0, maxBytes: 700_000, summary: true, snapshot: false };
const WITH_LINES = { context: 3, maxBytes: 700_000, summary: false, snapshot: false };
/** The first request: the list with a few screens of lines, so that the first render needs no second call. */
const LIST_AND_FIRST_LINES = { ...WITH_LINES, maxBytes: 100_000 };

/** Lists the files that differ. Not cached: every visit runs git again. */
export const diffQuery = (input: DiffInput) =>
  queryOptions({
    queryKey: ["deviceTool", input.target.deviceId, "get_workspace_diff", input],
    queryFn: async ({ client, queryKey, signal }): Promise<ReadDiff> => {
      // A refetch needs only the list, which shows whether the lines are still current.
      const isFirst = client.getQueryData(queryKey) === undefined;
      const first = isFirst ? await readDiff(input, LIST_AND_FIRST_LINES, signal) : undefined;
      // If the list did not fit into the answer with the lines, it is requested separately.
      return first && first.files.length === first.filesTotal
        ? splitDiff(first)
        : { diff: await readDiff(input, LIST_ONLY, signal), patches: [] };
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

const readDiff = ({ target, against, ...of }: DiffInput, options: DiffOptions, signal: AbortSignal) =>
  runTool(target, "get_workspace_diff", { ...of, ...options, against: comparedWith(against) }, { signal });

/** Returns the parameter of the device tools for the other side of a comparison. */
export const comparedWith = (
  against: DiffInput["against"],
): DeviceToolParams<"get_workspace_diff">["against"] =>
  against === "base" || against === "head" || against === "turn" ? against : { point: against };

/** Reads until every file has its patch, or the reason for having none. */
export async function readPatches(
  input: DiffInput,
  files: readonly DiffFile[],
  signal: AbortSignal,
): Promise<DiffFile[]> {
  const patched: DiffFile[] = [];
  let remaining = files.map(({ path }) => path);
  while (remaining.length > 0) {
    const answer = await readDiff(input, { ...WITH_LINES, paths: remaining }, signal);
    const read = answer.files.filter(({ omitted }) => omitted !== "no_room");
    patched.push(...read);
    const unread = answer.files.filter(({ omitted }) => omitted === "no_room").map(({ path }) => path);
    // No patch exceeds an answer, so each call returns at least one.
    if (unread.length >= remaining.length) return [...patched, ...answer.files];
    remaining = unread;
  }
  const read = new Set(patched.map(({ path }) => path));
  // A file that no longer differs is missing from the answers, and gets an empty patch.
  return [...patched, ...files.filter(({ path }) => !read.has(path)).map((file) => ({ ...file, patch: "" }))];
}
