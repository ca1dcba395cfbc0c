import * as z from "zod";
import { organizationScope } from "./organization";
import { repoUrl } from "./repoUrl";
import { branchName, id, line, name, page, projectSlug, timestamp } from "./values";

/** The specification's project fields, as workspace.ensure takes them. */
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
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Project = z.infer<typeof project>;

export const projectCreateInput = z.strictObject({ ...organizationScope, ...projectFields });
export const projectListInput = z.object({ ...organizationScope, ...page });
export const projectGetInput = z.object({ ...organizationScope, id });
export const projectUpdateInput = z.strictObject({
  ...organizationScope,
  id,
  name: name.optional(),
  defaultBranch: branchName.optional(),
  /** Org-admins only: devices clone from it. */
  repoUrl: repoUrl.optional(),
});
export const projectDeleteInput = z.strictObject({ ...organizationScope, id });
/** `worktreeKept` is there when one of its workspaces was on a device: the disk is delete_workspace's. */
export const projectDeleted = z.object({
  success: z.literal(true),
  worktreeKept: z.literal(true).optional(),
});
