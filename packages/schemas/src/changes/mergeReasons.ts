import { MERGE_WAIT_HOURS } from "../lifetimes";
import type { BlockCode, MergeEndReason, PullBlock } from "./workspacePull";

/** A reason as the end of a sentence: `Pull request #1 was not merged: …`. */
interface MergeReason {
  reason: string;
  /** The user's next step, as a sentence. */
  next?: string;
}

/** Why a pull request is not merged: the reasons that block it, and other ends of a requested merge. */
export const mergeReasons: Record<BlockCode | MergeEndReason, MergeReason> = {
  draft: { reason: "it is a draft", next: "Mark it as ready for review." },
  conflicts: { reason: "it conflicts with the base", next: "Update the branch, then push." },
  behind: { reason: "the branch is behind the base", next: "Update it, then push." },
  checking: { reason: "the code host is still checking whether it can be merged" },
  checks_running: { reason: "a required check has not finished" },
  checks_failed: { reason: "a required check failed" },
  review_required: { reason: "the code host requires a review there" },
  changes_requested: { reason: "a reviewer requested changes at the code host" },
  threads_open: { reason: "the code host requires that all review threads are resolved" },
  queued: { reason: "it is in the merge queue" },
  stacked: {
    reason: "its merge would also merge the pull requests below it in its stack",
    next: "Merge the stack at the code host.",
  },
  rules_unknown: {
    reason: "the rules of the base could not be read",
    next: "Give the connection access to them.",
  },
  closed: { reason: "it is closed" },
  provider: { reason: "the code host blocks it" },
  head_moved: { reason: "the branch or the base changed", next: "Review it, then ask again." },
  gate_failed: { reason: "the repository's check script failed" },
  not_approved: { reason: "the approval was withdrawn" },
  not_allowed: { reason: "the person who requested the merge is no longer allowed to" },
  method_not_allowed: { reason: "the repository no longer allows the method" },
  expired: {
    reason: `it took longer than ${MERGE_WAIT_HOURS} hours`,
    next: "If it is still in the code host's merge queue, the queue may merge it later.",
  },
  canceled: { reason: "another member canceled it" },
  replaced: { reason: "a later request replaced it" },
  provider_refused: { reason: "the code host refused it" },
  dequeued: { reason: "it was removed from the merge queue" },
};

/** The reasons of which the code host's message, or the name of a check, is a part. */
const withDetail = new Set<BlockCode | MergeEndReason>([
  "checks_running",
  "checks_failed",
  "rules_unknown",
  "provider",
]);

/** Describes in a sentence or two why a pull request is not merged, with the next step. */
export function mergeReasonText(code: BlockCode | MergeEndReason, detail: string | null): string {
  const { reason, next } = mergeReasons[code];
  const message = detail && withDetail.has(code) ? `: ${detail}` : "";
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1) + message;
  return next === undefined ? `${sentence}.` : `${sentence}. ${next}`;
}

/** Describes in a sentence or two what blocks a pull request. */
export const blockText = ({ code, detail }: PullBlock): string => mergeReasonText(code, detail);
