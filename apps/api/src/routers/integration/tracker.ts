import { issue, team, trackerListIssuesInput, trackerListTeamsInput } from "@grove/schemas";
import { z } from "zod";
import { callProvider } from "../../integrations/call";
import { findConnection } from "../../integrations/connections";
import { output } from "../../outputs";
import { memberProcedure, router } from "../../trpc";

/** Issue trackers: Linear and Jira, whose projects are teams here. They fail as code hosts do. */
export const trackerRouter = router({
  /** Issues, of one team or of all, the most recently changed first; at most 1 000. */
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
});
