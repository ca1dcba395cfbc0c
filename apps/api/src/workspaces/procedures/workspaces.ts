import {
  workspace,
  workspaceCreateInput,
  workspaceDeleted,
  workspaceDeleteInput,
  workspaceEnsured,
  workspaceEnsureInput,
  workspaceGetInput,
  workspaceListInput,
  workspaceUpdateInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberOrDeviceProcedure, memberProcedure } from "../../trpc/procedures";
import { listWorkspaces, readWorkspace } from "../readWorkspaces";
import { createWorkspace, deleteWorkspace, ensureWithProject, updateWorkspace } from "../workspaces";

export const workspaceProcedures = {
  /**
   * Creates the project and the workspace where they do not exist, in one transaction; existing ones are returned
   * unchanged. CONFLICT `workspace_id_taken` when the id belongs elsewhere or was deleted before, without saying where;
   * NOT_FOUND when the project of the device's command was deleted in the meantime; PRECONDITION_FAILED
   * `quota_exceeded` when a new one would exceed a limit.
   */
  ensure: memberOrDeviceProcedure(workspaceEnsureInput)
    .output(output(workspaceEnsured))
    .mutation(({ ctx, input }) => ensureWithProject(ctx.services, ctx.principal, input)),

  /** Records a workspace of a project. NOT_FOUND when the organization has no such project. */
  create: memberProcedure(workspaceCreateInput)
    .output(output(workspace))
    .mutation(({ ctx, input }) => createWorkspace(ctx.services, ctx.principal, input)),

  /** Deletes the record, for its creator, an org-admin, or the device it is on. The worktree itself stays on disk. */
  delete: memberOrDeviceProcedure(workspaceDeleteInput)
    .output(output(workspaceDeleted))
    .mutation(({ ctx, input }) => deleteWorkspace(ctx.services, ctx.principal, input)),

  /** Workspaces, newest first. A page ends early at 4 MiB: only a page shorter than both `limit` and 16 is the last. */
  list: memberOrDeviceProcedure(workspaceListInput)
    .output(output(z.array(workspace)))
    .query(({ ctx, input }) => listWorkspaces(ctx.services, input)),

  /** One workspace of the organization; NOT_FOUND if there is none. */
  get: memberProcedure(workspaceGetInput)
    .output(output(workspace))
    .query(({ ctx, input }) => readWorkspace(ctx.services, input)),

  /** Renames a workspace or replaces its config; omitted fields stay. A device may change only the workspaces on it. */
  update: memberOrDeviceProcedure(workspaceUpdateInput)
    .output(output(workspace))
    .mutation(({ ctx, input }) => updateWorkspace(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
