import type { HeldReason, PullStatus } from "@grove/schemas";

/** Why a person must act on failed checks. */
export const heldTexts: Record<HeldReason, string> = {
  off: "Failed checks of this project are not sent to agents.",
  spent: "The agent has used all of its rounds. Fix the checks, or ask the agent to.",
  same_failure:
    "The checks failed as before, so they were not sent to the agent again. Fix them, or ask the agent to.",
  not_a_failure:
    "A check was canceled or waits for a person at the code host, so it was not sent to the agent.",
  fork: "The commits are from a fork, so the failed checks were not sent to an agent.",
  no_agent:
    "The failed checks were not sent to an agent, because none that reports its turns is running in the workspace. Start one.",
  not_permitted:
    "The failed checks were not sent to the agent: the user who started the agent may no longer use its device. Start another agent.",
  not_delivered: 'The failed checks may not have reached the agent. Send them with "Ask the agent".',
  no_new_commit: "The agent ended its turn without a new commit. Push its work, or ask the agent.",
  not_finished: "The agent ended its turn without a report that its work is finished. Ask the agent.",
};

/** Describes what happened to the failed checks of the newest commit. Undefined if nothing did. */
export function checksRoundText({ checksRound, heldReason }: PullStatus): string | undefined {
  const sent = checksRound && `Sent to the agent, round ${checksRound.number} of ${checksRound.of}.`;
  const held = heldReason && heldTexts[heldReason];
  return sent || held ? [sent, held].filter(Boolean).join(" ") : undefined;
}
