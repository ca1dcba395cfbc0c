import {
  type Anchor,
  type AnchorPlace,
  anchorLabel,
  placeLabel,
  type ReviewRoundContent,
  visibleLines,
  visibleName,
} from "@grove/schemas";
import { linesIn } from "../../git/review/mapLines";
import { GitError } from "../../git/run";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { withInstalledNames } from "../../lib/commandNames";

/** The most lines of a file that a comment quotes. */
const MAX_LINES = 20;
const MAX_LINE = 300;

const WITHOUT_TOOLS =
  "If you do not have these tools, run `grove-device agent answer <id> fixed --commit <sha>` (or declined or question, with --body <text>), then `grove-device agent finish --summary <text>`.";

/**
 * Composes the prompt with the comments of a round and the lines that they are about. Characters that a reader would
 * not see are marked.
 * @param places where the files and lines are now, in the order of the comments
 */
export async function composeRound(
  tree: OpenWorktree,
  { change, number, author, comments, workspaceId }: ReviewRoundContent & { workspaceId: string },
  places: readonly AnchorPlace[],
  signal: AbortSignal,
): Promise<string> {
  const count = comments.length === 1 ? "1 comment" : `${comments.length} comments`;
  const parts = [
    `Review of ${visibleName(change)}, round ${number}, by ${visibleName(author)}. ${count}.
Fix each one or say why not. Then answer each id in brackets with Grove's tool answer_comment, and call finish_task with workspaceId ${workspaceId}.
${withInstalledNames(WITHOUT_TOOLS)}`,
  ];
  for (const [index, { id, anchor, body }] of comments.entries()) {
    const place = places[index] ?? { status: "unknown" };
    const lines = await quotedLines(tree, anchor, signal);
    parts.push([headingOf(id, anchor, place), ...lines, visibleLines(body.trim())].join("\n"));
  }
  return parts.join("\n\n");
}

function headingOf(id: string, anchor: Anchor, place: AnchorPlace): string {
  const label = place.status === "moved" ? placeLabel(place) : anchorLabel(anchor);
  const at = `[${id}] ${visibleName(label)}`;
  if ("path" in anchor && anchor.side === "before") return `${at} (before the change)`;
  switch (place.status) {
    case "here":
    case "moved":
      return at;
    case "outdated":
      return `${at} (changed since, now near ${visibleName(place.path)}:${place.nearest})`;
    case "gone":
      return `${at} (the file was deleted since)`;
    case "unknown":
      return `${at} (as of an earlier version)`;
  }
}

/** Returns the lines from the version that the person saw. None for a file or a change, or if git no longer has it. */
async function quotedLines(tree: OpenWorktree, anchor: Anchor, signal: AbortSignal): Promise<string[]> {
  if (!("from" in anchor)) return [];
  const { blob, from, to } = anchor;
  const content = await tree.git(["cat-file", "blob", blob], { signal }).catch((error) => {
    if (error instanceof GitError && error.code === 128) return undefined;
    throw error;
  });
  if (content === undefined) return [];
  const lines = linesIn(content).slice(from - 1, to);
  const quoted = lines
    .slice(0, MAX_LINES)
    .map((line) => `| ${visibleLines(shortened(line.replace(/\r$/, "")))}`);
  return lines.length > MAX_LINES ? [...quoted, `| … ${lines.length - MAX_LINES} more lines`] : quoted;
}

const shortened = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line);
