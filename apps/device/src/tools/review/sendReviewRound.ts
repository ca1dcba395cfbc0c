import type { ReviewRoundContent } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { resolveAnchors } from "../../git/review/resolveAnchors";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import type { LocalWorkspace } from "../../home/store";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";
import { composeFailureRound } from "./composeFailureRound";
import { composeRound } from "./composeRound";
import { withCurrentTrees } from "./resolveAnchors";

/** The most bytes of a prompt. */
const MAX_BYTES = 32 * 1024;

/**
 * send_review_round: gives review comments with their lines, or the failed checks of a commit, to an agent that has
 * nothing to do.
 */
export const sendReviewRoundTool = (deps: ToolDeps): Tool<"send_review_round"> => ({
  async run({ sessionId, round }, { signal }) {
    const session = deps.sessions.registry.find(sessionId);
    if (!session)
      throw new CommandFailure(
        "session_ended",
        `The agent session ${sessionId} has ended. Start another one.`,
      );
    session.requireReady();
    const { workspaceId } = session.identity;
    const workspace = await findWorkspace(deps, workspaceId);
    const tree = await openWorkspace(deps, workspace);
    const prompt =
      "failed" in round
        ? composeFailureRound({ ...round, workspaceId })
        : await composeComments(tree, round, workspace, signal);
    const bytes = Buffer.byteLength(prompt);
    if (bytes > MAX_BYTES)
      throw new CommandFailure(
        "too_long",
        `The comments and their lines have ${bytes} bytes, and an agent gets at most ${MAX_BYTES}. Nothing was sent. Send fewer comments.`,
      );
    signal.throwIfAborted();
    await deps.sessions.givePrompt(sessionId, prompt);
    return { bytes };
  },
  recover: async () => "It is not known whether the agent got the round; its session has ended.",
});

function composeComments(
  tree: OpenWorktree,
  round: ReviewRoundContent,
  workspace: LocalWorkspace,
  signal: AbortSignal,
): Promise<string> {
  const anchors = round.comments.map(({ anchor }) => anchor);
  return withCurrentTrees(tree, { workspace, against: "base", signal }, async (trees) =>
    composeRound(
      tree,
      { ...round, workspaceId: workspace.id },
      await resolveAnchors(tree, anchors, trees, signal),
      signal,
    ),
  );
}
