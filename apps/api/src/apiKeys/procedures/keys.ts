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
import { output } from "../../trpc/output";
import { memberSessionProcedure } from "../../trpc/procedures";
import { createKey, listKeys, revokeKey } from "../keys";

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
    .query(({ ctx, input }) => listKeys(ctx.services, ctx.principal, input)),

  /**
   * Ends a key from its next request on: the caller's own, or anyone's for an org-admin; otherwise NOT_FOUND. Its
   * commands that no device has taken are canceled, reason `requester_revoked`. `devices` are those that the key has
   * registered: they stay, unless `revokeDevices`.
   */
  revoke: memberSessionProcedure(apiKeyRevokeInput)
    .output(output(apiKeyRevoked))
    .mutation(({ ctx, input }) => revokeKey(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
