import {
  deviceGetInput,
  deviceListInput,
  deviceRegistered,
  deviceRegisterInput,
  device as deviceSchema,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { listDevices, readDevice } from "../readDevices";
import { registerDevice } from "../register";

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
    .query(({ ctx, input }) => listDevices(ctx.services, input)),

  /** One device of the organization; NOT_FOUND if there is none. */
  get: memberProcedure(deviceGetInput)
    .output(output(deviceSchema))
    .query(({ ctx, input }) => readDevice(ctx.services, input)),
} satisfies TRPCRouterRecord;
