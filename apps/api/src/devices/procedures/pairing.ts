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
import { output } from "../../trpc/output";
import { memberSessionProcedure, publicProcedure, sessionProcedure } from "../../trpc/procedures";
import { finishPairing } from "../finishPairing";
import { approvePairing, createRegistration, readPairing, requestPairing } from "../pairings";

/** How a machine becomes a device without an API key: it shows a code, and a member who is signed in approves it. */
export const pairingProcedures = {
  /**
   * Begins a pairing, for a machine without a credential: it shows the code to a person, and calls
   * device.finishPairing with the secret every few seconds. Both end after ten minutes. TOO_MANY_REQUESTS
   * `rate_limited`.
   */
  requestPairing: publicProcedure(deviceRequestPairingInput)
    .output(output(devicePairingRequested))
    .mutation(({ ctx, input }) => requestPairing(ctx.services, ctx.network(), input)),

  /** The machine that waits with this code, with the name and platform that it sent; NOT_FOUND if there is none. */
  getPairing: sessionProcedure(deviceGetPairingInput)
    .output(output(devicePairing))
    .query(({ ctx, input }) => readPairing(ctx.services, ctx.principal, ctx.network(), input)),

  /**
   * Approves the machine that waits with a code. On its next poll it becomes the caller's device in the organization,
   * if the caller is still a member. It gets no project secrets until device.setSecretsAllowed allows them, since the
   * code may belong to another user's machine. NOT_FOUND if no machine waits with the code.
   */
  approvePairing: memberSessionProcedure(deviceApprovePairingInput)
    .output(output(devicePairingApproved))
    .mutation(({ ctx, input }) => approvePairing(ctx.services, ctx.principal, ctx.network(), input)),

  /**
   * Makes a token with which one machine registers itself, within an hour, as the caller's device, for a command line
   * to copy. The token is shown only this once. device.finishPairing takes it.
   */
  createRegistration: memberSessionProcedure(deviceCreateRegistrationInput)
    .output(output(deviceRegistration))
    .mutation(({ ctx, input }) => createRegistration(ctx.services, ctx.principal, input)),

  /**
   * Makes the device of an approved pairing or of a registration's token. Its device key (`apiKey`) is shown only this
   * once. `device` is null until the pairing is approved. BAD_REQUEST `token_invalid` for a secret that
   * was used or is too old, or whose approver is no longer a member; PRECONDITION_FAILED `quota_exceeded`.
   */
  finishPairing: publicProcedure(deviceFinishPairingInput)
    .output(output(devicePairingFinished))
    .mutation(({ ctx, input }) => finishPairing(ctx.services, input)),
} satisfies TRPCRouterRecord;
