import {
  deviceGetInput,
  deviceListInput,
  deviceRegistered,
  deviceRegisterInput,
  device as deviceSchema,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { isOnline } from "../presence";
import { registerDevice } from "../register";
import { deviceColumns, deviceNotFound, toDevice } from "../row";

export const deviceProcedures = {
  /**
   * Registers a machine that the caller owns. Its device key (`apiKey`) is shown only this once. A device that an
   * org-admin registers with a session is allowed project secrets from the start; see device.setSecretsAllowed.
   * PRECONDITION_FAILED `quota_exceeded`.
   */
  register: memberProcedure(deviceRegisterInput)
    .output(output(deviceRegistered))
    .mutation(({ ctx, input }) => registerDevice(ctx.services, ctx.principal, input)),

  /** Devices, newest first. Revoked ones are left out unless `includeRevoked`; they are offline, reason `revoked`. */
  list: memberProcedure(deviceListInput)
    .output(output(z.array(deviceSchema)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      let query = db
        .selectFrom("devices")
        .select(deviceColumns)
        .where("organization_id", "=", input.organizationId);
      if (!input.includeRevoked) query = query.where("revoked_at", "is", null);
      if (input.status) query = query.where(isOnline, "=", input.status === "online");
      return (await newestFirst(db, "devices", query, input)).map(toDevice);
    }),

  /** One device of the organization; NOT_FOUND if there is none. */
  get: memberProcedure(deviceGetInput)
    .output(output(deviceSchema))
    .query(async ({ ctx, input }) => {
      const row = await ctx.services.database.db
        .selectFrom("devices")
        .select(deviceColumns)
        .where("organization_id", "=", input.organizationId)
        .where("id", "=", input.id)
        .executeTakeFirst();
      if (!row) throw deviceNotFound(input.id);
      return toDevice(row);
    }),
} satisfies TRPCRouterRecord;
