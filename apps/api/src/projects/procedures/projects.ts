import {
  project,
  projectCreateInput,
  projectDeleted,
  projectDeleteInput,
  projectGetInput,
  projectListInput,
  projectUpdateInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberOrDeviceProcedure, memberProcedure } from "../../trpc/procedures";
import { createProject, deleteProject, listProjects, readProject, updateProject } from "../projects";

export const projectProcedures = {
  /**
   * Creates a project. CONFLICT `slug_taken` for a slug that the organization already uses; BAD_REQUEST for a
   * repository in a directory (`file:`), which only the device that has it can name; PRECONDITION_FAILED
   * `quota_exceeded`.
   */
  create: memberOrDeviceProcedure(projectCreateInput)
    .output(output(project))
    .mutation(({ ctx, input }) => createProject(ctx.services, ctx.principal, input)),

  /** Projects, newest first. */
  list: memberOrDeviceProcedure(projectListInput)
    .output(output(z.array(project)))
    .query(({ ctx, input }) => listProjects(ctx.services, input)),

  /** A project by its UUID or slug; NOT_FOUND if the organization has none. */
  get: memberOrDeviceProcedure(projectGetInput)
    .output(output(project))
    .query(({ ctx, input }) => readProject(ctx.services, input)),

  /** Changes the given fields. Only org-admins may change the repository's URL, since devices clone from it. */
  update: memberProcedure(projectUpdateInput)
    .output(output(project))
    .mutation(({ ctx, input }) => updateProject(ctx.services, ctx.principal, input)),

  /** Deletes the project with its workspaces and secrets. Worktrees on devices stay on disk: `worktreeKept`. */
  delete: memberProcedure(projectDeleteInput, "admin")
    .output(output(projectDeleted))
    .mutation(({ ctx, input }) => deleteProject(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
