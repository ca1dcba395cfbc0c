import {
  apiKey,
  apiKeyCreated,
  apiKeyCreateInput,
  apiKeyListInput,
  apiKeyRevoked,
  apiKeyRevokeInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { memberSessionProcedure } from "../../trpc/procedures";
import { createKey, revokeKey } from "../keys";
import { toApiKey } from "../row";

export const keyProcedures = {
  /**
   * Creates a key that acts as the caller inside this organization. The key itself is shown only this once.
   * PRECONDITION_FAILED `quota_exceeded`.
   */
  create: memberSessionProcedure(apiKeyCreateInput)
    .output(output(apiKeyCreated))
    .mutation(({ ctx, input }) => createKey(ctx.services, ctx.principal, input)),

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
    .mutation(({ ctx, input }) => revokeKey(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
