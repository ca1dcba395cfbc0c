import type { DeviceToolParams, DiffFile } from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import { type ReadDiff, splitDiff } from "../diff/splitDiff";
import { runTool } from "../lib/deviceTools";

/** A comparison that the machine computes. */
export interface DiffInput {
  target: { organizationId: string; deviceId: string };
  workspaceId: string;
  against: "base" | "head";
  ignoreWhitespace: boolean;
}

type DiffOptions = Pick<DeviceToolParams<"get_workspace_diff">, "context" | "maxBytes" | "summary" | "paths">;

const LIST_ONLY = { context: 0, maxBytes: 700_000, summary: true };
const WITH_LINES = { context: 3, maxBytes: 700_000, summary: false };
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
      // If the list did not fit beside the lines, it is read by itself.
      return first && first.files.length === first.filesTotal
        ? splitDiff(first)
        : { diff: await readDiff(input, LIST_ONLY, signal), patches: [] };
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

const readDiff = ({ target, ...sides }: DiffInput, options: DiffOptions, signal: AbortSignal) =>
  runTool(target, "get_workspace_diff", { ...sides, ...options }, { signal });

/** Reads until every file has its patch, or the reason for having none. */
export async function readPatches(
  input: DiffInput,
  files: readonly DiffFile[],
  signal: AbortSignal,
): Promise<DiffFile[]> {
  const found: DiffFile[] = [];
  let left = files.map(({ path }) => path);
  while (left.length > 0) {
    const answer = await readDiff(input, { ...WITH_LINES, paths: left }, signal);
    const read = answer.files.filter(({ omitted }) => omitted !== "no_room");
    found.push(...read);
    const later = answer.files.filter(({ omitted }) => omitted === "no_room").map(({ path }) => path);
    // No patch exceeds an answer, so each call returns at least one.
    if (later.length >= left.length) return [...found, ...answer.files];
    left = later;
  }
  const read = new Set(found.map(({ path }) => path));
  // A file that no longer differs is missing from the answers, and gets an empty patch.
  return [...found, ...files.filter(({ path }) => !read.has(path)).map((file) => ({ ...file, patch: "" }))];
}
