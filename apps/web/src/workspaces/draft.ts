import type { WorkspaceRequest } from "@grove/schemas";
import { newId } from "../lib/newId";

/** A workspace as the form describes it. Empty fields are for the device to choose. */
export interface Draft {
  /** Tells the drafts of a form apart. */
  key: string;
  name: string;
  kind: "new" | "existing";
  branch: string;
  base: string;
}

export const emptyDraft = (): Draft => ({
  key: newId(),
  name: "",
  kind: "new",
  branch: "",
  base: "",
});

/** The draft of an earlier request. */
export const draftOf = ({ name, branchName, existingBranch, baseBranch }: WorkspaceRequest): Draft => ({
  key: newId(),
  name: name ?? "",
  kind: existingBranch === undefined ? "new" : "existing",
  branch: existingBranch ?? branchName ?? "",
  base: baseBranch ?? "",
});

/** The request that a draft stands for. An existing branch has no base. */
export function requestOf({ name, kind, branch, base }: Draft): WorkspaceRequest {
  const [given, on, from] = [name.trim(), branch.trim(), base.trim()];
  return {
    ...(given && { name: given }),
    ...(kind === "existing" && { existingBranch: on }),
    ...(kind === "new" && on && { branchName: on }),
    ...(kind === "new" && from && { baseBranch: from }),
  };
}
