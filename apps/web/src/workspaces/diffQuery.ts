import type { DeviceToolParams, DiffFile } from "@grove/schemas";
import { queryOptions } from "@tanstack/react-query";
import { type ReadDiff, splitDiff } from "../diff/splitDiff";
import { runTool } from "../lib/deviceTools";

/** A comparison to ask a machine for. */
export interface DiffInput {
  target: { organizationId: string; deviceId: string };
  workspaceId: string;
  against: "base" | "head";
  ignoreWhitespace: boolean;
}

/** How much to ask for. */
type Part = Pick<DeviceToolParams<"get_workspace_diff">, "context" | "maxBytes" | "summary" | "paths">;

const LIST = { context: 0, maxBytes: 700_000, summary: true };
const LINES = { context: 3, maxBytes: 700_000, summary: false };
/**
 * The list with the first lines, which spares a second call before anything can be drawn. More lines than a few screens
 * would hold up the first one.
 */
const FIRST = { ...LINES, maxBytes: 100_000 };

/** The files that differ. They are read again each time the page is opened. */
export const diffQuery = (input: DiffInput) =>
  queryOptions({
    queryKey: ["deviceTool", input.target.deviceId, "get_workspace_diff", input],
    queryFn: async ({ client, queryKey, signal }): Promise<ReadDiff> => {
      // Once the lines are there, the list tells whether they are still the same.
      const isFirst = client.getQueryData(queryKey) === undefined;
      const first = isFirst ? await ask(input, FIRST, signal) : undefined;
      // A list that is too long for it is asked for alone.
      return first && first.files.length === first.filesTotal
        ? splitDiff(first)
        : { diff: await ask(input, LIST, signal), patches: [] };
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

const ask = ({ target, ...sides }: DiffInput, part: Part, signal: AbortSignal) =>
  runTool(target, "get_workspace_diff", { ...sides, ...part }, { signal });

/** Asks until every file has its patch, or the reason why it has none. */
export async function readPatches(
  input: DiffInput,
  files: readonly DiffFile[],
  signal: AbortSignal,
): Promise<DiffFile[]> {
  const found: DiffFile[] = [];
  let left = files.map(({ path }) => path);
  while (left.length > 0) {
    const answer = await ask(input, { ...LINES, paths: left }, signal);
    const read = answer.files.filter(({ omitted }) => omitted !== "no_room");
    found.push(...read);
    const later = answer.files.filter(({ omitted }) => omitted === "no_room").map(({ path }) => path);
    // None is larger than an answer, so each call returns one at least.
    if (later.length >= left.length) return [...found, ...answer.files];
    left = later;
  }
  const read = new Set(found.map(({ path }) => path));
  // A file that no longer differs is not among the answers: it has no lines to wait for.
  return [...found, ...files.filter(({ path }) => !read.has(path)).map((file) => ({ ...file, patch: "" }))];
}
