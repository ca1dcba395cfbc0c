import type { PullState } from "@grove/schemas";
import { GitMerge, GitPullRequest, GitPullRequestClosed, GitPullRequestDraft } from "lucide-react";
import type { StateStyle } from "../ui/stateLabel";

/** How the state of a pull request is shown. */
export const pullStates: Record<PullState, StateStyle> = {
  open: { icon: GitPullRequest, tone: "good", label: "Open" },
  draft: { icon: GitPullRequestDraft, tone: "calm", label: "Draft" },
  merged: { icon: GitMerge, tone: "good", label: "Merged" },
  closed: { icon: GitPullRequestClosed, tone: "calm", label: "Closed" },
};
