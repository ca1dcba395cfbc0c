import { adminListOrganizationsInput, adminOrganization } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { adminProcedure } from "../../trpc/procedures";
import { listOrganizations } from "../organizations";

export const organizationProcedures = {
  /** Organizations, newest first; `search` matches part of a name or slug. */
  listOrganizations: adminProcedure(adminListOrganizationsInput)
    .output(output(z.array(adminOrganization)))
    .query(({ ctx, input }) => listOrganizations(ctx.services, input)),
} satisfies TRPCRouterRecord;
