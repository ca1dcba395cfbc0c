import { type WorkspaceRequest, workspaceRequest } from "@grove/schemas";
import { newId } from "../../lib/newId";

/** The form's state of one workspace. The device chooses values for empty fields. */
export interface Draft {
  /** The React key. */
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

/** Fills a draft from an earlier request, which comes from the page's address. */
export function draftOf(request: unknown): Draft {
  const { name, branchName, existingBranch, baseBranch } = workspaceRequest.safeParse(request).data ?? {};
  return {
    key: newId(),
    name: name ?? "",
    kind: existingBranch === undefined ? "new" : "existing",
    branch: existingBranch ?? branchName ?? "",
    base: baseBranch ?? "",
  };
}

/** Converts a draft to a request. An existing branch has no base. */
export function requestOf({ name, kind, branch, base }: Draft): WorkspaceRequest {
  const trimmed = { name: name.trim(), branch: branch.trim(), base: base.trim() };
  return {
    ...(trimmed.name && { name: trimmed.name }),
    ...(kind === "existing" && { existingBranch: trimmed.branch }),
    ...(kind === "new" && trimmed.branch && { branchName: trimmed.branch }),
    ...(kind === "new" && trimmed.base && { baseBranch: trimmed.base }),
  };
}
