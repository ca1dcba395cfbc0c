import { createToken, GroveError, hashSecret, isAtLeast } from "@grove/auth";
import { newId } from "@grove/db";
import {
  deviceApprovePairingInput,
  deviceCreateRegistrationInput,
  deviceFinishPairingInput,
  deviceGetPairingInput,
  devicePairing,
  devicePairingApproved,
  devicePairingFinished,
  devicePairingRequested,
  deviceRegistration,
  deviceRequestPairingInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql } from "kysely";
import { stayMember } from "../../organizations/members";
import { output } from "../../trpc/output";
import { memberSessionProcedure, publicProcedure, sessionProcedure } from "../../trpc/procedures";
import { createCode, finishPairing, hashCode, pairingEnd, registrationEnd } from "../pairings";

/** How a machine becomes a device without an API key: it shows a code, and a member who is signed in approves it. */
export const pairingProcedures = {
  /**
   * Begins a pairing, for a machine without a credential: it shows the code to a person, and calls
   * device.finishPairing with the secret every few seconds. Both end after ten minutes. TOO_MANY_REQUESTS
   * `rate_limited`.
   */
  requestPairing: publicProcedure(deviceRequestPairingInput)
    .output(output(devicePairingRequested))
    .mutation(async ({ ctx, input }) => {
      const { database, limits } = ctx.services;
      const network = ctx.network();
      limits.address.take(network);
      const { token, hash } = createToken();
      const code = createCode();
      const { expires_at } = await database.db
        .insertInto("device_pairings")
        .values({
          secret_hash: hash,
          code_hash: hashCode(code),
          name: input.name,
          platform: input.platform,
          agent_version: input.agentVersion,
          ip: network,
          expires_at: pairingEnd,
        })
        .returning("expires_at")
        .executeTakeFirstOrThrow();
      return { secret: token, code, expiresAt: expires_at };
    }),

  /** The machine that waits with a code, as it described itself; NOT_FOUND if there is none. */
  getPairing: sessionProcedure(deviceGetPairingInput)
    .output(output(devicePairing))
    .query(async ({ ctx, input }) => {
      const { database, limits } = ctx.services;
      // Codes are short, so attempts are limited.
      limits.account.take(`pairing ${ctx.principal.user.id}`, ctx.network());
      const row = await database.db
        .selectFrom("device_pairings")
        .select(["name", "platform", "agent_version", "ip", "created_at", "expires_at"])
        .where("code_hash", "=", hashCode(input.code))
        .where("approved_by", "is", null)
        .where("expires_at", ">", sql<string>`now()`)
        .executeTakeFirst();
      if (!row || row.name === null || row.platform === null) throw pairingNotFound();
      limits.account.clear(`pairing ${ctx.principal.user.id}`, ctx.network());
      return {
        name: row.name,
        platform: row.platform,
        agentVersion: row.agent_version,
        ip: row.ip,
        requestedAt: row.created_at,
        expiresAt: row.expires_at,
      };
    }),

  /**
   * Approves the machine that waits with a code: it becomes the caller's device in the organization when it asks again,
   * and only while the caller is a member. It is not allowed all project secrets, since the code may be of
   * another user's machine: see device.setSecretsAllowed. NOT_FOUND if no machine waits with the code.
   */
  approvePairing: memberSessionProcedure(deviceApprovePairingInput)
    .output(output(devicePairingApproved))
    .mutation(({ ctx, input }) => {
      const { database, limits } = ctx.services;
      limits.account.take(`pairing ${ctx.principal.user.id}`, ctx.network());
      return database.db.transaction().execute(async (trx) => {
        await stayMember(trx, ctx.principal, input.organizationId);
        const deviceId = newId();
        const row = await trx
          .updateTable("device_pairings")
          .set({
            organization_id: input.organizationId,
            approved_by: ctx.principal.user.id,
            device_id: deviceId,
            shared: input.shared,
            ...(input.name !== undefined && { name: input.name }),
          })
          .where("code_hash", "=", hashCode(input.code))
          .where("approved_by", "is", null)
          .where("expires_at", ">", sql<string>`now()`)
          .returning("device_id")
          .executeTakeFirst();
        if (!row) throw pairingNotFound();
        limits.account.clear(`pairing ${ctx.principal.user.id}`, ctx.network());
        return { deviceId };
      });
    }),

  /**
   * Makes a token with which one machine registers itself, within an hour, as the caller's device: for a line to copy.
   * It is shown only this once. device.finishPairing takes it.
   */
  createRegistration: memberSessionProcedure(deviceCreateRegistrationInput)
    .output(output(deviceRegistration))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        await stayMember(trx, ctx.principal, input.organizationId);
        const token = `grt_${createToken().token}`;
        const deviceId = newId();
        const { expires_at } = await trx
          .insertInto("device_pairings")
          .values({
            secret_hash: hashSecret(token),
            organization_id: input.organizationId,
            approved_by: ctx.principal.user.id,
            device_id: deviceId,
            shared: input.shared,
            secrets_allowed: isAtLeast(ctx.role, "admin"),
            expires_at: registrationEnd,
          })
          .returning("expires_at")
          .executeTakeFirstOrThrow();
        return { token, deviceId, expiresAt: expires_at };
      }),
    ),

  /**
   * Makes the device of an approved pairing or of a registration's token. Its device key (`apiKey`) is shown only this
   * once. `device` is null until the pairing is approved. BAD_REQUEST `token_invalid` for a secret that
   * was used or is too old, or whose approver is no longer a member; PRECONDITION_FAILED `quota_exceeded`.
   */
  finishPairing: publicProcedure(deviceFinishPairingInput)
    .output(output(devicePairingFinished))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db
        .transaction()
        .execute(async (trx) => ({ device: await finishPairing(trx, ctx.services, input) })),
    ),
} satisfies TRPCRouterRecord;

const pairingNotFound = () =>
  new GroveError(
    "NOT_FOUND",
    "No machine waits with this code. Compare it, or run `grove-device register` again.",
  );
