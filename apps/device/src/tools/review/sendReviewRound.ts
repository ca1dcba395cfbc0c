import { CommandFailure } from "../../errors";
import { resolveAnchors } from "../../git/review/resolveAnchors";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";
import { composeRound } from "./composeRound";
import { withCurrentTrees } from "./resolveAnchors";

/** The most bytes of a prompt. */
const MAX_BYTES = 32 * 1024;

/** send_review_round: gives review comments, with the lines that they are about, to an agent that has nothing to do. */
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
    const anchors = round.comments.map(({ anchor }) => anchor);
    const prompt = await withCurrentTrees(tree, { workspace, against: "base", signal }, async (trees) =>
      composeRound(
        tree,
        { ...round, workspaceId },
        await resolveAnchors(tree, anchors, trees, signal),
        signal,
      ),
    );
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
  recover: async () => "It is not known whether the agent got the comments; its session has ended.",
});
