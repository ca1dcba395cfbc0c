import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { branchName, id, line, name, page, projectSlug, timestamp } from "../values";
import { MAX_FAILURE_ROUNDS } from "./failureRounds";
import { repoUrl } from "./repoUrl";

/** A project's fields in workspace.ensure. */
export const projectFields = {
  name,
  slug: projectSlug,
  repoOwner: line(200),
  repoName: line(200),
  repoUrl,
  defaultBranch: branchName.default("main"),
};

export const project = z.object({
  id,
  organizationId: id,
  name: z.string(),
  slug: z.string(),
  repoOwner: z.string(),
  repoName: z.string(),
  repoUrl: z.string(),
  defaultBranch: z.string(),
  /** Whether devices keep restore points of its workspaces. A device's own setting may still be off. */
  restorePoints: z.boolean(),
  /** The branches into which a merged pull request completes its tasks; null: the default branch. */
  doneBranches: z.array(z.string()).nullable(),
  /** How often failed checks of a change are sent to its agent before a person must act; 0: never. */
  maxRounds: z.number().int(),
  /** Whether the repository's check script, `.grove/check` of the base, runs when an agent reports its work as done. */
  gateOnFinish: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Project = z.infer<typeof project>;

export const projectCreateInput = z.strictObject({ ...organizationScope, ...projectFields });
export type ProjectCreateInput = z.infer<typeof projectCreateInput>;
export const projectListInput = z.object({ ...organizationScope, ...page });
export type ProjectListInput = z.infer<typeof projectListInput>;
/** A project by its UUID or its slug. */
export const projectReference = projectSlug;
export const projectGetInput = z.object({ ...organizationScope, id: projectReference });
export type ProjectGetInput = z.infer<typeof projectGetInput>;
export const projectUpdateInput = z.strictObject({
  ...organizationScope,
  id,
  name: name.optional(),
  defaultBranch: branchName.optional(),
  restorePoints: z.boolean().optional(),
  /** The branches into which a merged pull request completes its tasks; null: the default branch. */
  doneBranches: z.array(branchName).min(1).max(20).nullable().optional(),
  /** How often failed checks of a change are sent to its agent before a person must act; 0: never. */
  maxRounds: z.number().int().min(0).max(MAX_FAILURE_ROUNDS).optional(),
  /** Whether the repository's check script, `.grove/check` of the base, runs when an agent reports its work as done. */
  gateOnFinish: z.boolean().optional(),
  /** Only organization admins may set it, since devices clone from it. */
  repoUrl: repoUrl.optional(),
});
export type ProjectUpdateInput = z.infer<typeof projectUpdateInput>;
export const projectDeleteInput = z.strictObject({ ...organizationScope, id });
export type ProjectDeleteInput = z.infer<typeof projectDeleteInput>;
/** `worktreeKept`: a workspace was on a device, and its worktree stays there. Only delete_workspace removes it. */
export const projectDeleted = z.object({
  success: z.literal(true),
  worktreeKept: z.literal(true).optional(),
});
