import { DETECT_RENAMES } from "../diff/changes";
import type { OpenWorktree } from "../worktree/openWorktree";
import { forkRef, numberOf, type PointRef, readNumberedPoints, readPoints } from "./pointRefs";

export interface ListedPoint {
  point: string;
  kind: "fork" | "turn";
  /** Null for the fork. */
  number: number | null;
  /** In milliseconds. */
  at: number;
  files: number;
  added: number;
  removed: number;
}

/** The fork commit of a workspace and its restore points, newest first, each with its changes since the one before. */
export async function listPoints(
  { git, path }: OpenWorktree,
  workspaceId: string,
  signal?: AbortSignal,
): Promise<ListedPoint[]> {
  const fork = await readPoints(git, path, forkRef(workspaceId));
  const points = [...fork, ...(await readNumberedPoints(git, path, workspaceId))];
  const pairs = points.slice(1).map(({ tree }, index) => [points[index]?.tree ?? tree, tree] as const);
  const args = [
    "diff-tree",
    "--stdin",
    "-r",
    "--shortstat",
    ...DETECT_RENAMES,
    "--no-ext-diff",
    "--no-textconv",
  ];
  const input = pairs.map((pair) => `${pair.join(" ")}\n`).join("");
  const counted = pairs.length === 0 ? "" : await git(args, { signal, input });
  const counts = countsIn(counted);
  return points
    .map((point, index) => ({
      ...describe(point, fork.includes(point)),
      ...(counts.get(pairs[index - 1]?.join(" ") ?? "") ?? { files: 0, added: 0, removed: 0 }),
    }))
    .reverse();
}

const describe = (point: PointRef, isFork: boolean) => ({
  point: point.commit,
  kind: isFork ? ("fork" as const) : ("turn" as const),
  number: isFork ? null : numberOf(point),
  at: point.at,
});

/** Counts of each pair of trees; a line with both trees precedes the line with their counts. */
function countsIn(listed: string): Map<string, { files: number; added: number; removed: number }> {
  const counts = new Map<string, { files: number; added: number; removed: number }>();
  let pair = "";
  for (const line of listed.split("\n")) {
    if (/^[0-9a-f]+ [0-9a-f]+$/.test(line)) pair = line;
    const number = (what: RegExp) => Number(what.exec(line)?.[1] ?? 0);
    const files = number(/(\d+) files? changed/);
    if (files > 0)
      counts.set(pair, { files, added: number(/(\d+) insertion/), removed: number(/(\d+) deletion/) });
  }
  return counts;
}
