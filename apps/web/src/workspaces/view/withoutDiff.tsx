import { type WorkspaceDiff as Diff, shortCommit } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { GitCompare } from "lucide-react";
import { CommandFailed } from "../../lib/commands/deviceTools";
import { buttonClass } from "../../ui/button";
import { EmptyState } from "../../ui/emptyState";
import { Problem } from "../../ui/problem";
import { VisibleName } from "../../ui/visibleName";

/** Why the changes could not be loaded, with the next step. */
export function DiffFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof CommandFailed && error.reason === "base_unknown")
    return (
      <EmptyState icon={GitCompare} title="The base no longer exists" action={<AgainstHead />}>
        {error.message}
      </EmptyState>
    );
  if (error instanceof CommandFailed && error.reason === "point_gone")
    return (
      <EmptyState icon={GitCompare} title="The restore point no longer exists" action={<AgainstHead />}>
        Compare with the last commit, or choose another restore point.
      </EmptyState>
    );
  return <Problem title="Could not load the changes." error={error} onRetry={onRetry} />;
}

const AgainstHead = () => (
  <Link
    from="/o/$organization/workspaces/$workspaceId"
    to="."
    search={(previous) => ({ ...previous, against: "head" })}
    className={buttonClass("primary")}
  >
    Compare with the last commit
  </Link>
);

/** Shown instead of the viewer while nothing differs. */
export const NoChanges = ({ diff, scope }: { diff: Diff; scope: string }) => (
  <div className="p-4 sm:p-6">
    <EmptyState icon={GitCompare} title="No changes">
      {scope === "base" ? (
        <>
          This worktree is identical to <VisibleName className="font-mono text-sm">{diff.base}</VisibleName>{" "}
          at <code className="font-mono text-sm">{diff.from && shortCommit(diff.from)}</code>, without
          uncommitted changes.
        </>
      ) : scope === "head" ? (
        <>Everything is committed.</>
      ) : scope === "turn" ? (
        <>This turn has changed no files.</>
      ) : scope === "seen" ? (
        <>Nothing has changed since you last looked.</>
      ) : (
        <>The files are as they were at this restore point.</>
      )}
    </EmptyState>
  </div>
);
