import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { projectFields } from "../projects/project";
import { id, jsonObject, name, page, timestamp } from "../values";

/** Kinds of workspace, not lifecycle states. */
export const workspaceType = z.enum(["worktree", "main"]);
export type WorkspaceType = z.infer<typeof workspaceType>;

export const workspace = z.object({
  id,
  organizationId: id,
  projectId: id,
  deviceId: id.nullable(),
  name: z.string(),
  type: workspaceType,
  /** Free-form. A device's workspace has `branchName`, `baseBranch`, `forkCommit` and `path`. */
  config: z.record(z.string(), z.unknown()),
  createdBy: id.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Workspace = z.infer<typeof workspace>;

export const workspaceEnsureInput = z.strictObject({
  ...organizationScope,
  project: z.strictObject(projectFields),
  workspace: z.strictObject({ id, name, type: workspaceType, config: jsonObject }),
  /**
   * Only from a device: the command that made the workspace. Its requester becomes the workspace's creator. A project
   * that was deleted after the command is not made again.
   */
  commandId: id.optional(),
});
export type WorkspaceEnsureInput = z.infer<typeof workspaceEnsureInput>;
export const workspaceEnsured = z.object({ projectId: id, workspaceId: id, txid: z.string() });

export const workspaceCreateInput = z.strictObject({
  ...organizationScope,
  projectId: id,
  name,
  type: workspaceType,
  config: jsonObject,
});
export type WorkspaceCreateInput = z.infer<typeof workspaceCreateInput>;

export const workspaceDeleteInput = z.strictObject({ ...organizationScope, id });
export type WorkspaceDeleteInput = z.infer<typeof workspaceDeleteInput>;
/** `worktreeKept`: the record was deleted, but the worktree stays on its device. Only delete_workspace removes it. */
export const workspaceDeleted = z.object({
  success: z.literal(true),
  worktreeKept: z.literal(true).optional(),
});

export const workspaceListInput = z.object({
  ...organizationScope,
  projectId: id.optional(),
  deviceId: id.optional(),
  type: workspaceType.optional(),
  ...page,
});
export type WorkspaceListInput = z.infer<typeof workspaceListInput>;

export const workspaceGetInput = z.object({ ...organizationScope, id });
export type WorkspaceGetInput = z.infer<typeof workspaceGetInput>;
export const workspaceUpdateInput = z.strictObject({
  ...organizationScope,
  id,
  name: name.optional(),
  config: jsonObject.optional(),
});
export type WorkspaceUpdateInput = z.infer<typeof workspaceUpdateInput>;
