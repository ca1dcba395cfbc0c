import { CommandFailure } from "../../errors";
import { answerOf, exitsWithZero, GitError } from "../../git/run";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";

/** find_commit: finds a commit in the history of what is checked out in a workspace. */
export const findCommitTool = (deps: ToolDeps): Tool<"find_commit"> => ({
  async run({ workspaceId, commit }, { signal }) {
    const workspace = await findWorkspace(deps, workspaceId);
    const { git } = await openWorkspace(deps, workspace);
    const found = await answerOf(
      git(["rev-parse", "--quiet", "--verify", `${commit}^{commit}`], { signal }),
    ).catch((error) => {
      // The short id is that of several objects.
      if (error instanceof GitError && error.code === 128) return undefined;
      throw error;
    });
    // A branch may be named like the id of a commit.
    const isInHistory =
      found?.startsWith(commit) &&
      (await exitsWithZero(git(["merge-base", "--is-ancestor", found, "HEAD"], { signal })));
    if (found !== undefined && isInHistory) return { commit: found };
    throw new CommandFailure(
      "commit_unknown",
      `The commit ${commit} is not in the history of the workspace's HEAD. Commit in the workspace, then pass the id that \`git log\` shows.`,
    );
  },
});
