import {
  deviceKeyRotated,
  deviceRevokeInput,
  deviceRotateKeyInput,
  device as deviceSchema,
  deviceSetSecretsAllowedInput,
  deviceUpdateInput,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { memberProcedure, memberSessionProcedure } from "../../trpc/procedures";
import { revokeDevice, rotateDeviceKey, setSecretsAllowed, updateDevice } from "../devices";

/** Procedures for a device's owner. */
export const ownerProcedures = {
  /**
   * Renames a device, sets whether other members may use it, or sets the name by which editors reach it with ssh; for
   * its owner. When others may no longer use it, their queued commands are canceled, reason `device_not_shared`.
   */
  update: memberProcedure(deviceUpdateInput)
    .output(output(deviceSchema))
    .mutation(({ ctx, input }) => updateDevice(ctx.services, ctx.principal, input)),

  /**
   * Ends a device permanently, for its owner or an org-admin: its key, its stream, its sessions and its open commands.
   * Queued commands are canceled and others lost, reason `device_revoked`. Repeating is harmless.
   */
  revoke: memberProcedure(deviceRevokeInput)
    .output(output(success))
    .mutation(({ ctx, input }) => revokeDevice(ctx.services, ctx.principal, input)),

  /**
   * Sets whether project secrets go to every agent session on a device. Otherwise only sessions that a user started
   * while signed in, or that an org-admin started, get them. It takes an org-admin's session, since anyone who may use
   * an allowed device can read the secrets, even with an API key. NOT_FOUND for a revoked device.
   */
  setSecretsAllowed: memberSessionProcedure(deviceSetSecretsAllowedInput, "admin")
    .output(output(deviceSchema))
    .mutation(({ ctx, input }) => setSecretsAllowed(ctx.services, ctx.principal, input)),

  /** Gives the device's owner a new device key, shown only this once. The old one ends immediately, with its stream. */
  rotateKey: memberSessionProcedure(deviceRotateKeyInput)
    .output(output(deviceKeyRotated))
    .mutation(({ ctx, input }) => rotateDeviceKey(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
