import { type ListedBranch, MAX_LISTED } from "@grove/schemas";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { requireLocalRepository } from "./repository";

const FORMAT = ["refname", "committerdate:iso-strict", "worktreepath", "symref", "contents:subject"]
  .map((field) => `%(${field})`)
  .join("%00");

/** list_branches: the branches of a project's repository, local ones and origin's as last fetched, newest first. */
export const listBranchesTool = ({ store, git }: ToolDeps): Tool<"list_branches"> => ({
  async run({ projectId, search = "" }, { signal }) {
    const project = await requireLocalRepository({ store }, projectId);
    const refs = ["refs/heads/", "refs/remotes/origin/"];
    const listed = await git(["for-each-ref", "--sort=-committerdate", `--format=${FORMAT}`, ...refs], {
      cwd: project.path,
      signal,
    });
    const found = withoutTwins(listed).filter(({ name }) =>
      name.toLowerCase().includes(search.toLowerCase()),
    );
    return {
      branches: found.slice(0, MAX_LISTED.branches),
      defaultBranch: project.defaultBranch,
      truncated: found.length > MAX_LISTED.branches,
    };
  },
});

/** One entry for a branch that is local and at origin: the local one, at the place of the newer one. */
function withoutTwins(listed: string): ListedBranch[] {
  const branches = new Map<string, ListedBranch>();
  for (const line of listed.split("\n")) {
    const [ref = "", committedAt = "", worktree = "", symbolic = "", subject = ""] = line.split("\0");
    // origin/HEAD only names another branch.
    if (ref === "" || symbolic !== "") continue;
    const local = ref.startsWith("refs/heads/");
    const name = ref.replace(/^refs\/(heads|remotes\/origin)\//, "");
    const known = branches.get(name);
    if (known && !local) continue;
    const branch = { name, local, committedAt, subject, checkedOutAt: worktree === "" ? null : worktree };
    // A key that is set again keeps its place.
    branches.set(name, branch);
  }
  return [...branches.values()];
}
