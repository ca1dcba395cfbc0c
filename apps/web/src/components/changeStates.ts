import type { WorkState } from "@grove/schemas";
import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleX,
  Eye,
  GitMerge,
  GitMergeConflict,
  GitPullRequestClosed,
  MessageCircleQuestion,
  MessageSquareReply,
} from "lucide-react";
import type { StateStyle } from "../ui/stateLabel";

/** How the state of a change is shown. */
export const changeStates: Record<WorkState, StateStyle> = {
  needs_input: { icon: MessageCircleQuestion, tone: "warn", label: "Waiting for an answer" },
  checks_failed: { icon: CircleX, tone: "bad", label: "Checks failed" },
  conflicts: { icon: GitMergeConflict, tone: "bad", label: "Has conflicts" },
  ready: { icon: Eye, tone: "warn", label: "Ready for review" },
  changes_requested: { icon: MessageSquareReply, tone: "calm", label: "Changes requested" },
  working: { icon: CircleDot, tone: "good", label: "Working" },
  gate: { icon: CircleDashed, tone: "calm", label: "Check script running" },
  checks: { icon: CircleDashed, tone: "calm", label: "Checks running" },
  merging: { icon: GitMerge, tone: "calm", label: "In the merge queue" },
  approved: { icon: CircleCheck, tone: "good", label: "Approved" },
  merged: { icon: GitMerge, tone: "good", label: "Merged" },
  closed: { icon: GitPullRequestClosed, tone: "calm", label: "Closed" },
  idle: { icon: CircleDot, tone: "calm", label: "Idle" },
};
