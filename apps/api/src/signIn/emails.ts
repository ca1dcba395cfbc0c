import {
  requestPasswordReset,
  requestVerification,
  requireSession,
  resetPassword,
  verifyEmail,
} from "@grove/auth";
import {
  type AddressProven,
  forgotPasswordInput,
  resetPasswordInput,
  type Success,
  verifyEmailInput,
} from "@grove/schemas";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { resetMemberships } from "../accounts/resetMemberships";
import { resetMail, verificationMail } from "../lib/mailTexts";
import { networkOf } from "../limits/rateLimits";
import { type SignInServices, sessionHolder } from "./session";

/** Routes that send mail: verification of an address, and a forgotten password. */
export const emailRoutes: FastifyPluginAsync<SignInServices> = async (server, services) => {
  const { auth, config, limits, log, lookups, mailer } = services;
  server.addHook("onRequest", async (request) => limits.address.take(networkOf(request.ip)));

  const proofBy = async (request: FastifyRequest) => ({
    holder: await sessionHolder(services, request),
    // A link that was not mailed came from the log: the operator who hands it out knows whose organizations these are.
    resetMemberships: config.smtp ? resetMemberships : async () => {},
  });
  const proven = ({ takenOver }: { takenOver: boolean }, request: FastifyRequest) => {
    if (takenOver)
      log.info({ reqId: request.id }, "an account was taken from someone who had not proven its address");
    return { success: true as const, ...(takenOver && { startedOver: true as const }) };
  };

  server.post("/api/auth/verify-email", async (request): Promise<AddressProven> => {
    const { token } = verifyEmailInput.parse(request.body);
    return proven(await verifyEmail(auth, token, await proofBy(request)), request);
  });

  /** Mails the session's user another link. For a verified address there is nothing to do. */
  server.post("/api/auth/resend-verification", async (request): Promise<Success> => {
    const { user } = requireSession(await lookups.principalOf(request));
    limits.mail.take(user.email, networkOf(request.ip));
    const verification = await requestVerification(auth, user.id);
    if (verification) mailer.send(() => verificationMail(mailer, verification.email, verification.token));
    return { success: true };
  });

  /**
   * Mails a link to this address, if an account has it. The response is the same either way, and is sent before the
   * look-up.
   */
  server.post("/api/auth/forgot-password", async (request): Promise<Success> => {
    const { email } = forgotPasswordInput.parse(request.body);
    limits.mail.take(email, networkOf(request.ip));
    mailer.send(async () => {
      const reset = await requestPasswordReset(auth, email);
      return reset && resetMail(mailer, email, reset);
    });
    return { success: true };
  });

  server.post("/api/auth/reset-password", async (request): Promise<AddressProven> => {
    const input = resetPasswordInput.parse(request.body);
    return proven(await resetPassword(auth, input, await proofBy(request)), request);
  });
};
