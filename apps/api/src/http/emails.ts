import {
  linkLifetimes,
  requestPasswordReset,
  requestVerification,
  requireSession,
  resetPassword,
  resolvePrincipal,
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
import { startOver } from "../accounts/startOver";
import type { Mail, Mailer } from "../lib/mail";
import { presentedSecret } from "./credential";
import { networkOf } from "./rateLimits";
import { type SignInServices, sessionHolder } from "./signedIn";

/** Routes that send mail: verification of an address, and a forgotten password. */
export const emailRoutes: FastifyPluginAsync<SignInServices> = async (server, services) => {
  const { auth, config, limits, log, mailer } = services;
  server.addHook("onRequest", async (request) => limits.address.take(networkOf(request.ip)));

  const proofBy = async (request: FastifyRequest) => ({
    holder: await sessionHolder(services, request),
    // A link that was not mailed came from the log: the operator who hands it out knows whose organizations these are.
    startOver: config.smtp ? startOver : async () => {},
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
    const presented = presentedSecret(request);
    const { user } = requireSession(presented && (await resolvePrincipal(auth, presented.secret)));
    limits.mail.take(user.email, networkOf(request.ip));
    const verification = await requestVerification(auth, user.id);
    if (verification) mailer.send(() => verificationMail(mailer, verification.email, verification.token));
    return { success: true };
  });

  /**
   * Mails a link to this address, if an account has it. The answer is the same either way, and is sent before the
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

export const verificationMail = (mailer: Mailer, to: string, token: string): Mail => ({
  to,
  subject: "Verify your email address",
  text: `An account was made with this address. If you made it, open this link within ${linkLifetimes.verify_email} where you are signed in to it. If you made none, do nothing:`,
  link: mailer.link("verify-email", token),
});

const resetMail = (
  mailer: Mailer,
  to: string,
  { token, verified }: { token: string; verified: boolean },
): Mail => ({
  to,
  subject: "Set a new password",
  text: `Someone asked for a new password for your account. If it was you, open this link within ${linkLifetimes.reset_password}. If not, do nothing.${verified ? "" : ` ${unproven}`}`,
  link: mailer.link("reset-password", token),
});

const unproven =
  "This address was never verified, so the account starts over with a new password: it loses its organizations, keys and devices. If you are still signed in somewhere, verify the address there instead, and nothing is lost.";
