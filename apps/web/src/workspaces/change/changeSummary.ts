import { type ChangeStatus, shortCommit } from "@grove/schemas";
import { pluralize } from "../../ui/pluralize";

/** Describes how far the work has come: `2 uncommitted files · 3 commits ahead of main · not pushed`. */
export function changeSummary(status: ChangeStatus): string {
  const { base, uncommittedFiles, ahead, behind, remote, remoteHead, head, inTheMiddle } = status;
  const parts = [
    inTheMiddle === null ? undefined : `${inTheMiddle} in progress`,
    uncommittedFiles > 0 ? pluralize(uncommittedFiles, "uncommitted file") : "nothing to commit",
    ahead ? `${pluralize(ahead, "commit")} ahead of ${baseLabel(base)}` : undefined,
    behind ? `${pluralize(behind, "commit")} behind` : undefined,
    ahead && remote !== null ? (remoteHead === head ? "pushed" : "not pushed") : undefined,
  ];
  const text = parts.filter((part) => part !== undefined).join(" · ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A base is a branch's name, or a commit's id. */
export const baseLabel = (base: string): string =>
  /^[0-9a-f]{40,64}$/.test(base) ? shortCommit(base) : base;

/** Why an action on the change is not possible now; undefined if it is. */
export interface Obstacles {
  commit: string | undefined;
  push: string | undefined;
  update: string | undefined;
  merge: string | undefined;
}

export function obstacles(status: ChangeStatus): Obstacles {
  const { branch, base, baseCommit, head, uncommittedFiles, ahead, behind, remote, remoteHead } = status;
  const inTheMiddle = status.inTheMiddle
    ? `A ${status.inTheMiddle} is in progress. Finish or abort it first.`
    : branch === null
      ? "No branch is checked out."
      : undefined;
  const uncommitted = uncommittedFiles > 0 ? "Commit your work first." : undefined;
  const isBaseGone = ahead === null ? "The base no longer exists." : undefined;
  return {
    commit:
      inTheMiddle ??
      (status.tree === null
        ? "Resolve the conflicts first."
        : uncommittedFiles === 0
          ? "Nothing to commit."
          : undefined),
    push:
      inTheMiddle ??
      (remote === null
        ? "No remote matches the project's URL."
        : ahead === 0
          ? "There are no commits to push."
          : remoteHead === head
            ? "Already pushed."
            : undefined),
    update:
      inTheMiddle ??
      isBaseGone ??
      uncommitted ??
      (behind === 0 ? `Up to date with ${baseLabel(base)}.` : undefined),
    merge:
      inTheMiddle ??
      isBaseGone ??
      uncommitted ??
      (baseCommit === null
        ? `The device has no local branch ${baseLabel(base)}.`
        : ahead === 0
          ? "There are no commits to merge."
          : status.conflictsWithBase.length > 0
            ? `Update from ${baseLabel(base)} first: there are conflicts.`
            : undefined),
  };
}
