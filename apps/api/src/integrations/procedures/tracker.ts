import {
  issue,
  task,
  team,
  trackerImportIssueInput,
  trackerListIssuesInput,
  trackerListTeamsInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { callProvider } from "../call";
import { findConnection } from "../connections";
import { importIssue } from "../importIssue";

/**
 * Issue trackers: Linear and Jira. Jira's projects are called teams here. The procedures have the same errors as the
 * code hosts'.
 */
export const trackerProcedures = {
  /** Lists the issues of one team or of all teams, most recently changed first; at most 1 000. */
  listIssues: memberProcedure(trackerListIssuesInput)
    .output(output(z.array(issue)))
    .query(async ({ ctx, input }) => {
      const connection = await findConnection(ctx.services.database.db, "tracker", input);
      const { teamId } = input;
      return callProvider(ctx.services, "tracker", connection, (tracker) => tracker.listIssues({ teamId }));
    }),

  /** The teams that the connection may see; at most 1 000. */
  listTeams: memberProcedure(trackerListTeamsInput)
    .output(output(z.array(team)))
    .query(async ({ ctx, input }) => {
      const connection = await findConnection(ctx.services.database.db, "tracker", input);
      return callProvider(ctx.services, "tracker", connection, (tracker) => tracker.listTeams());
    }),

  /**
   * Makes a task from an issue, given by its id or key, and links the two. Where the connection receives events,
   * changes at the tracker reach the task: title, description, priority, and the status if its type differs. If the
   * issue already has a task, that task is returned.
   */
  importIssue: memberProcedure(trackerImportIssueInput)
    .output(output(task))
    .mutation(({ ctx, input }) => importIssue(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
