import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CommandFailed } from "../../lib/commands/deviceTools";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { useReviewList } from "../review/useReviewList";
import type { WorkspaceSearch } from "../workspaceSearch";
import { type DiffInput, diffQuery } from "./diffQuery";
import { nextScope } from "./diffScopes";
import { WorkspaceDiff, type WorkspaceDiffProps } from "./workspaceDiff";

type ScopedDiffProps = Omit<WorkspaceDiffProps, "against" | "notice" | "changeId">;

/** The workspace's diff, of all changes or of those that the user has chosen. */
export function ScopedDiff({ scope, ...props }: ScopedDiffProps) {
  const navigate = useNavigate({ from: "/o/$organization/workspaces/$workspaceId" });
  const { changeId, against, notice } = useScope(scope, props);
  const showNext = () =>
    void navigate({
      to: ".",
      search: ({ against: previous = "base", ...others }: WorkspaceSearch) => {
        const next = nextScope(previous);
        return { ...others, ...(next !== "base" && { against: next }) };
      },
      replace: true,
    });
  useShortcuts({
    title: "Shown changes",
    scope: "page",
    shortcuts: [{ keys: "s", title: "Choose which changes are shown", run: showNext }],
  });
  if (against === undefined)
    return (
      <p role="status" className="p-4 text-muted sm:p-6">
        Loading the changes…
      </p>
    );
  return (
    <WorkspaceDiff
      key={`${against} ${props.ignoreWhitespace}`}
      {...props}
      scope={scope}
      against={against}
      notice={notice}
      changeId={changeId}
    />
  );
}

/**
 * Finds what a choice is compared with. If that is not available, all changes are shown, with the reason.
 * @returns `against` undefined while it is not known
 */
function useScope(scope: string, { target, workspaceId, ignoreWhitespace }: Omit<DiffInput, "against">) {
  const { changeId, listed, error } = useReviewList({ target, workspaceId });
  const mark = listed.data?.mark;
  const wanted = scope === "seen" ? mark?.point : scope;
  // Shares the diff's query.
  const read = useQuery({
    ...diffQuery({ target, workspaceId, against: wanted ?? "base", ignoreWhitespace }),
    enabled: wanted !== undefined && (scope === "seen" || scope === "turn"),
  });
  const isGone = read.error instanceof CommandFailed && read.error.reason === "point_gone";
  const all = (notice: string) => ({ changeId, against: "base", notice });
  if (scope === "turn" && isGone)
    return all("The machine has no restore point from before an agent's turn, so all changes are shown.");
  if (scope === "seen") {
    if (error) return all("Could not load what you have marked as seen, so all changes are shown.");
    if (changeId === null)
      return all("A mark needs a branch of the workspace's own, so all changes are shown.");
    if (mark === null) return all("You have not marked anything as seen yet, so all changes are shown.");
    if (isGone)
      return all(
        "The version that you marked as seen is no longer on the machine, so all changes are shown.",
      );
  }
  return { changeId, against: wanted, notice: undefined };
}
