import { cancelQueuedOfKey, createSecret, recordAudit, revokeDevices } from "@grove/auth";
import { newId, notify } from "@grove/db";
import {
  apiKey,
  apiKeyCreated,
  apiKeyCreateInput,
  apiKeyListInput,
  apiKeyRevoked,
  apiKeyRevokeInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql } from "kysely";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { countSettled } from "../../metrics/metrics";
import { stayMember } from "../../organizations/members";
import { output } from "../../trpc/output";
import { memberSessionProcedure } from "../../trpc/procedures";
import { apiKeyNotFound, toApiKey } from "../row";

export const keyProcedures = {
  /**
   * Creates a key that acts as the caller inside this organization. The key itself is shown only this once.
   * PRECONDITION_FAILED `quota_exceeded`.
   */
  create: memberSessionProcedure(apiKeyCreateInput)
    .output(output(apiKeyCreated))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        // An account that is being taken over must not keep a key made at the same time.
        await stayMember(trx, ctx.principal, input.organizationId);
        await ctx.services.quotas.take(trx, "apiKeys", input.organizationId);
        const { secret, hash, prefix } = createSecret("api_key");
        const row = await trx
          .insertInto("api_keys")
          .values({
            id: newId(),
            organization_id: input.organizationId,
            user_id: ctx.principal.user.id,
            name: input.name,
            prefix,
            key_hash: hash,
            scopes: [...new Set(input.scopes)],
            expires_at: input.expiresAt ? new Date(input.expiresAt) : null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await recordAudit(trx, ctx.principal, {
          organizationId: input.organizationId,
          action: "apiKey.create",
          target: { type: "api_key", id: row.id },
          metadata: { name: row.name, scopes: row.scopes },
        });
        return { ...toApiKey(row), key: secret };
      }),
    ),

  /** The caller's keys, newest first; an org-admin sees everyone's. Revoked keys are not listed. */
  list: memberSessionProcedure(apiKeyListInput)
    .output(output(z.array(apiKey)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      let query = db
        .selectFrom("api_keys")
        .selectAll()
        .where("organization_id", "=", input.organizationId)
        .where("revoked_at", "is", null);
      if (ctx.role === "member") query = query.where("user_id", "=", ctx.principal.user.id);
      return (await newestFirst(db, "api_keys", query, input)).map(toApiKey);
    }),

  /**
   * Ends a key from its next request on: the caller's own, or anyone's for an org-admin; otherwise NOT_FOUND. Its
   * commands that no device has taken are canceled, reason `requester_revoked`. `devices` are those that the key has
   * registered: they stay, unless `revokeDevices`.
   */
  revoke: memberSessionProcedure(apiKeyRevokeInput)
    .output(output(apiKeyRevoked))
    .mutation(async ({ ctx, input: { organizationId, id, revokeDevices: alsoDevices } }) => {
      const { devices, settled } = await ctx.services.database.db.transaction().execute(async (trx) => {
        let query = trx
          .updateTable("api_keys")
          .set({ revoked_at: new Date() })
          .where("organization_id", "=", organizationId)
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .returning(["id", "name"]);
        if (ctx.role === "member") query = query.where("user_id", "=", ctx.principal.user.id);
        const revoked = await query.executeTakeFirst();
        if (!revoked) throw apiKeyNotFound(id);
        await notify(trx, "credential_revoked", revoked.id);
        await recordAudit(trx, ctx.principal, {
          organizationId,
          action: "apiKey.revoke",
          target: { type: "api_key", id: revoked.id },
          metadata: { name: revoked.name },
        });
        const cause = { actor: ctx.principal, action: "apiKey.revoke" };
        const settled = [
          ...(alsoDevices ? await revokeDevices(trx, registeredBy({ organizationId, id }), cause) : []),
          ...(await cancelQueuedOfKey(trx, { organizationId, keyId: id })),
        ];
        const devices = await trx
          .selectFrom("devices")
          .select(["id", "name"])
          .where(registeredBy({ organizationId, id }))
          .where("revoked_at", "is", null)
          .orderBy("created_at", "desc")
          .orderBy("id", "desc")
          .limit(1000)
          .execute();
        return { devices, settled };
      });
      countSettled(ctx.services, settled);
      return { success: true as const, ...(devices.length > 0 && { devices }) };
    }),
} satisfies TRPCRouterRecord;

const registeredBy = ({ organizationId, id }: { organizationId: string; id: string }) =>
  sql<boolean>`organization_id = ${organizationId} and registered_by_key = ${id}`;
