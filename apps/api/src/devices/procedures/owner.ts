import {
  createSecret,
  GroveError,
  isAtLeast,
  recordAudit,
  settleRevoked,
  type UserPrincipal,
} from "@grove/auth";
import { cancelCommands, type Database, notify, type SettledCommand } from "@grove/db";
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
import { sql, type Transaction } from "kysely";
import { countSettled } from "../../metrics/metrics";
import { output } from "../../trpc/output";
import { memberProcedure, memberSessionProcedure } from "../../trpc/procedures";
import { deviceColumns, deviceNotFound, toDevice } from "../row";

/** Procedures for a device's owner. */
export const ownerProcedures = {
  /**
   * Renames a device, sets whether other members may use it, or says by which name editors reach it with ssh; for its
   * owner. When others may no longer use it, their queued commands are canceled, reason `device_not_shared`.
   */
  update: memberProcedure(deviceUpdateInput)
    .output(output(deviceSchema))
    .mutation(async ({ ctx, input }) => {
      const { device, canceled } = await ctx.services.database.db.transaction().execute(async (trx) => {
        await lockOwn(trx, ctx.principal, input);
        const row = await trx
          .updateTable("devices")
          .set({
            name: input.name,
            shared: input.shared,
            ssh_host: input.sshHost,
            updated_at: sql<string>`now()`,
          })
          .where("organization_id", "=", input.organizationId)
          .where("id", "=", input.id)
          .returning(deviceColumns)
          .executeTakeFirstOrThrow();
        const canceled = input.shared === false ? await cancelOthersQueued(trx, row) : [];
        await recordAudit(trx, ctx.principal, {
          organizationId: input.organizationId,
          action: "device.update",
          target: { type: "device", id: row.id },
          metadata: { name: row.name, shared: row.shared, sshHost: row.ssh_host },
        });
        return { device: toDevice(row), canceled };
      });
      countSettled(ctx.services, canceled);
      return device;
    }),

  /**
   * Ends a device permanently, for its owner or an org-admin: its key, its stream, its sessions and its open commands.
   * Queued commands are canceled and others lost, reason `device_revoked`. Repeating is harmless.
   */
  revoke: memberProcedure(deviceRevokeInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      const settled = await ctx.services.database.db.transaction().execute(async (trx) => {
        const device = await lockOwn(trx, ctx.principal, input, "or org-admin");
        if (device.revoked_at) return [];
        await trx
          .updateTable("devices")
          .set({ revoked_at: sql<string>`now()`, present_until: null, offline_reason: "revoked" })
          .where("organization_id", "=", input.organizationId)
          .where("id", "=", device.id)
          .execute();
        const settled = await settleRevoked(trx, [device.id]);
        await notify(trx, "credential_revoked", device.id);
        await recordAudit(trx, ctx.principal, {
          organizationId: input.organizationId,
          action: "device.revoke",
          target: { type: "device", id: device.id },
          metadata: { name: device.name },
        });
        return settled;
      });
      countSettled(ctx.services, settled);
      return { success: true as const };
    }),

  /**
   * Sets whether project secrets go to every agent session on a device. Otherwise only sessions that a user started
   * while signed in, or that an org-admin started, get them. It takes an org-admin's session, since anyone who may use
   * an allowed device can read the secrets, even with an API key. NOT_FOUND for a revoked device.
   */
  setSecretsAllowed: memberSessionProcedure(deviceSetSecretsAllowedInput, "admin")
    .output(output(deviceSchema))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable("devices")
          .set({ secrets_allowed: input.allowed, updated_at: sql<string>`now()` })
          .where("organization_id", "=", input.organizationId)
          .where("id", "=", input.id)
          .where("revoked_at", "is", null)
          .returning(deviceColumns)
          .executeTakeFirst();
        if (!row) throw deviceNotFound(input.id);
        await recordAudit(trx, ctx.principal, {
          organizationId: input.organizationId,
          action: "device.setSecretsAllowed",
          target: { type: "device", id: row.id },
          metadata: { name: row.name, allowed: input.allowed },
        });
        return toDevice(row);
      }),
    ),

  /** Gives the device's owner a new device key, shown only this once. The old one ends immediately, with its stream. */
  rotateKey: memberSessionProcedure(deviceRotateKeyInput)
    .output(output(deviceKeyRotated))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const device = await lockOwn(trx, ctx.principal, input);
        if (device.revoked_at)
          throw new GroveError(
            "PRECONDITION_FAILED",
            `The device "${device.name}" is revoked. Register the machine again.`,
            { reason: "device_revoked" },
          );
        const { secret, hash, prefix } = createSecret("device");
        await trx
          .updateTable("devices")
          .set({ key_hash: hash, key_prefix: prefix, updated_at: sql<string>`now()` })
          .where("organization_id", "=", input.organizationId)
          .where("id", "=", device.id)
          .execute();
        await notify(trx, "credential_revoked", device.id);
        await recordAudit(trx, ctx.principal, {
          organizationId: input.organizationId,
          action: "device.rotateKey",
          target: { type: "device", id: device.id },
          metadata: { name: device.name },
        });
        return { apiKey: secret };
      }),
    ),
} satisfies TRPCRouterRecord;

/** Cancels the queued commands of members who may no longer use the device. */
function cancelOthersQueued(
  trx: Transaction<Database>,
  device: { organization_id: string; id: string; owner_id: string },
): Promise<SettledCommand[]> {
  const error = {
    reason: "device_not_shared",
    message: "The device's owner stopped sharing it before it took the command. Use one of your own.",
  };
  const which = sql`organization_id = ${device.organization_id} and device_id = ${device.id} and status = 'queued'
    and requested_by is distinct from ${device.owner_id}`;
  return cancelCommands(trx, which, error);
}

/**
 * Locks a device's row for its owner or, where `orAdmin` is given, an org-admin.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required` for another member's
 */
async function lockOwn(
  trx: Transaction<Database>,
  principal: UserPrincipal,
  { organizationId, id }: { organizationId: string; id: string },
  orAdmin?: "or org-admin",
) {
  const row = await trx
    .selectFrom("devices")
    .select(["id", "name", "owner_id", "revoked_at"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw deviceNotFound(id);
  const admin = orAdmin !== undefined && isAtLeast(principal.memberships.get(organizationId), "admin");
  if (row.owner_id === principal.user.id || admin) return row;
  throw new GroveError(
    "FORBIDDEN",
    `Only its owner${orAdmin ? " or an organization admin" : ""} may do this to the device "${row.name}". Ask them to.`,
    { reason: "device_owner_required" },
  );
}
