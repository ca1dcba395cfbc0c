import {
  requestPasswordReset,
  requestVerification,
  requireSession,
  resetPassword,
  resolvePrincipal,
  verifyEmail,
} from "@grove/auth";
import { forgotPasswordInput, resetPasswordInput, type Success, verifyEmailInput } from "@grove/schemas";
import type { FastifyPluginAsync } from "fastify";
import { networkOf } from "../limits";
import type { Mail, Mailer } from "../mail";
import { presentedSecret } from "./credential";
import type { SignInServices } from "./signedIn";

/** What goes by mail: that an address is whose it says, and a forgotten password. */
export const emailRoutes: FastifyPluginAsync<SignInServices> = async (server, { auth, limits, mailer }) => {
  server.addHook("onRequest", async (request) => limits.address.take(networkOf(request.ip)));

  server.post("/api/auth/verify-email", async (request): Promise<Success> => {
    await verifyEmail(auth, verifyEmailInput.parse(request.body).token);
    return { success: true };
  });

  /** Mails the session's user another link. For an address that is verified there is nothing to do. */
  server.post("/api/auth/resend-verification", async (request): Promise<Success> => {
    const presented = presentedSecret(request);
    const { user } = requireSession(presented && (await resolvePrincipal(auth, presented.secret)));
    limits.mail.take(user.email);
    const verification = await requestVerification(auth, user.id);
    if (verification) mailer.send(() => verificationMail(mailer, verification.email, verification.token));
    return { success: true };
  });

  /** Mails a link to this address, if it is somebody's. The answer is the same, and comes before either is found out. */
  server.post("/api/auth/forgot-password", async (request): Promise<Success> => {
    const { email } = forgotPasswordInput.parse(request.body);
    limits.mail.take(email);
    mailer.send(async () => {
      const token = await requestPasswordReset(auth, email);
      return token === null ? null : resetMail(mailer, email, token);
    });
    return { success: true };
  });

  server.post("/api/auth/reset-password", async (request): Promise<Success> => {
    await resetPassword(auth, resetPasswordInput.parse(request.body));
    return { success: true };
  });
};

export const verificationMail = (mailer: Mailer, to: string, token: string): Mail => ({
  to,
  subject: "Verify your email address",
  text: "An account was made with this address. If it is yours, open this link within three days. If you made none, do nothing:",
  link: mailer.link("verify-email", token),
});

const resetMail = (mailer: Mailer, to: string, token: string): Mail => ({
  to,
  subject: "Set a new password",
  text: "Someone asked for a new password for your account. If it was you, open this link within the hour. If not, do nothing:",
  link: mailer.link("reset-password", token),
});
