import type { CheckedPull } from "@grove/integrations";
import type { BlockCode, PullBlock } from "@grove/schemas";

/** Blocks that end without anyone's action. */
const transientCodes = new Set<BlockCode>(["checks_running", "checking"]);

export const isTransient = ({ code }: PullBlock): boolean => transientCodes.has(code);

/** Whether the pull request is in the code host's merge queue. */
export const isQueued = ({ blocks }: Pick<CheckedPull, "blocks">): boolean =>
  blocks.some(({ code }) => code === "queued");

export const isMergeable = ({ blocks, mergeable }: Pick<CheckedPull, "blocks" | "mergeable">): boolean =>
  blocks.length === 0 && mergeable === "yes";

/** Returns the first block that needs someone's action. Without any block, the code host may still refuse to merge. */
export function obstacleOf({ blocks, mergeable }: CheckedPull): PullBlock | undefined {
  if (blocks.length === 0 && mergeable !== "yes") return { code: "provider", detail: mergeable };
  return blocks.find((block) => !isTransient(block));
}
