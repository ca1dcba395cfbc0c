import { createSecret } from "@grove/auth";
import { newId } from "@grove/db";
import {
  deviceConnectInput,
  deviceListInput,
  deviceRegistered,
  deviceRegisterInput,
  device as deviceSchema,
  deviceSelf,
} from "@grove/schemas";
import { z } from "zod";
import { recordAudit } from "../audit";
import { deviceColumns, toDevice } from "../devices";
import { deliver } from "../dispatch/deliver";
import { isOnline } from "../dispatch/presence";
import { afterCursor } from "../keyset";
import { output } from "../outputs";
import { deviceProcedure, memberProcedure, router } from "../trpc";

export const deviceRouter = router({
  /** Registers a machine that the caller owns; its device key (`apiKey`) is shown this once. */
  register: memberProcedure(deviceRegisterInput)
    .output(output(deviceRegistered))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const { secret, hash, prefix } = createSecret("device");
        const row = await trx
          .insertInto("devices")
          .values({
            id: newId(),
            organization_id: input.organizationId,
            owner_id: ctx.principal.user.id,
            name: input.name,
            platform: input.platform,
            key_prefix: prefix,
            key_hash: hash,
          })
          .returning(deviceColumns)
          .executeTakeFirstOrThrow();
        await recordAudit(trx, ctx.principal, {
          organizationId: input.organizationId,
          action: "device.register",
          target: { type: "device", id: row.id },
          metadata: { name: row.name, platform: row.platform },
        });
        return { ...toDevice(row), apiKey: secret };
      }),
    ),

  /** Newest first. Revoked devices are listed as offline, reason `revoked`. */
  list: memberProcedure(deviceListInput)
    .output(output(z.array(deviceSchema)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      let query = db
        .selectFrom("devices")
        .select(deviceColumns)
        .where("organization_id", "=", input.organizationId)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(input.limit);
      if (input.after !== undefined)
        query = query.where(await afterCursor(db, "devices", input.organizationId, input.after));
      if (input.status) query = query.where(isOnline, "=", input.status === "online");
      return (await query.execute()).map(toDevice);
    }),

  /** The device that a device key stands for. */
  self: deviceProcedure(z.void())
    .output(output(deviceSelf))
    .query(async ({ ctx }) => {
      const row = await ctx.services.database.db
        .selectFrom("devices")
        .select(deviceColumns)
        .where("organization_id", "=", ctx.principal.organizationId)
        .where("id", "=", ctx.principal.deviceId)
        .executeTakeFirstOrThrow();
      return { device: toDevice(row), organization: ctx.principal.organization };
    }),

  /** The stream of commands to a device. The newest stream of a device wins. */
  connect: deviceProcedure(deviceConnectInput).subscription(({ ctx, input, signal }) =>
    deliver(ctx.services, ctx.principal, input, signal ?? new AbortController().signal),
  ),
});
