import { organizationEvent, organizationWatchInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { watchOrganization } from "../../live/watchOrganization";
import { outputEvents } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";

export const watchProcedures = {
  /**
   * Streams the changes in the organization, for a console: events of its tasks as in task.watch, resumable by
   * `lastEventId`, and the new state of its devices, agent sessions and workspaces after each change. Read lists after
   * `ready`, and again after each `ready` with `missed`: the stream then reports every later change of them within ten
   * seconds. If more than 2000 items change within a minute, only the newest 2000 are sent.
   */
  watch: memberProcedure(organizationWatchInput)
    .output(outputEvents(organizationEvent))
    .subscription(({ ctx, input, signal }) => watchOrganization(ctx.services, ctx.principal, input, signal)),
} satisfies TRPCRouterRecord;
