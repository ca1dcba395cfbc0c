import { change, changeGetInput, changeListInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { listChanges, readChange } from "../read";

/** Changes: the branches that workspaces were made for, with their pull requests. */
export const recordProcedures = {
  /** Changes, newest first. `state` is that of the newest pull request. */
  list: memberProcedure(changeListInput)
    .output(output(z.array(change)))
    .query(({ ctx, input }) => listChanges(ctx.services, input)),

  /** One change of the organization; NOT_FOUND if there is none. */
  get: memberProcedure(changeGetInput)
    .output(output(change))
    .query(({ ctx, input }) => readChange(ctx.services, input)),
} satisfies TRPCRouterRecord;
