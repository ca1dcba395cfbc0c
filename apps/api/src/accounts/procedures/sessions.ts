import { success, userListSessionsInput, userRevokeSessionInput, userSession } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { sessionProcedure } from "../../trpc/procedures";
import { listSessions, revokeSession } from "../sessions";

export const sessionProcedures = {
  /** The caller's sessions, newest first: pages by `limit` (1 to 1000, 1000 by default) and `after`, or no input. */
  listSessions: sessionProcedure(userListSessionsInput)
    .output(output(z.array(userSession)))
    .query(({ ctx, input }) => listSessions(ctx.services, ctx.principal, input)),

  /** Ends one of the caller's sessions from its next request on; NOT_FOUND if there is none. */
  revokeSession: sessionProcedure(userRevokeSessionInput)
    .output(output(success))
    .mutation(({ ctx, input }) => revokeSession(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
