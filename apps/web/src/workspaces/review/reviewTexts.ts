import {
  type Anchor,
  type AnchorPlace,
  type CommentAnswerState,
  type LatestAnswer,
  type ReviewComment,
  type ReviewRound,
  shortCommit,
} from "@grove/schemas";

/** The state of a comment in words. */
export function stateText(
  { state, claim }: Pick<ReviewComment, "state" | "claim">,
  round: Pick<ReviewRound, "status"> | undefined,
): string {
  if (state === "draft") return "Draft";
  if (state === "resolved") return "Resolved";
  if (claim) return "Answered";
  switch (round?.status) {
    case "queued":
      return "Sending";
    case "failed":
      return "Not sent";
    case "unknown":
      return "Delivery unknown";
    default:
      return "Sent";
  }
}

const answerStates: Record<CommentAnswerState, string> = {
  fixed: "Fixed",
  declined: "Declined",
  question: "Question",
};

/** An agent's answer: `Fixed in 1b2c3d4e: …`. */
export function answerText({ state, commit, body }: Pick<LatestAnswer, "state" | "commit" | "body">): string {
  const answer = commit === null ? answerStates[state] : `${answerStates[state]} in ${shortCommit(commit)}`;
  return body.trim() === "" ? answer : `${answer}: ${body}`;
}

/** Where the file or its lines are now, if that is not where the comment was made. */
export function placeText(place: AnchorPlace | undefined, anchor: Anchor): string | undefined {
  const isBefore = "side" in anchor && anchor.side === "before";
  // It was in the version that another choice of changes is compared with.
  if (isBefore && (place?.status === "outdated" || place?.status === "gone"))
    return "Not in the compared version";
  switch (place?.status) {
    case "outdated":
      return "Outdated: the lines have changed";
    case "gone":
      return "The file was deleted";
    case "unknown":
      return "The commented version is no longer on the machine";
    default:
      return undefined;
  }
}

/** Why an agent did not get a round, and what to do. */
export function failureText({ status, reason }: Pick<ReviewRound, "status" | "reason">): string {
  if (status === "queued")
    return "The machine has not answered yet. The list shows when the agent has the comments.";
  if (status === "unknown")
    return "The agent may have the comments. Check its terminal before you send again.";
  switch (reason) {
    case "agent_working":
      return "The agent is working. Send again when its turn has ended.";
    case "agent_needs_input":
      return "The agent waits for an answer. Answer in its terminal, then send again.";
    case "session_ended":
    case "no_such_session":
      return "The agent session has ended. Start an agent, then send again.";
    case "not_an_agent":
      return "The session is a plain terminal. Choose one with an agent.";
    case "too_long":
      return "The comments are too long for one prompt. Shorten or discard some.";
    default:
      return "The machine refused the comments. Check that it is online, then send again.";
  }
}
