import { adminStats, noInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { adminProcedure } from "../../trpc/procedures";
import { readStats } from "../stats";

export const statsProcedures = {
  /** Totals of everything. It counts rows, so it is not for a page that many people open. */
  stats: adminProcedure(noInput)
    .output(output(adminStats))
    .query(({ ctx }) => readStats(ctx.services)),
} satisfies TRPCRouterRecord;
