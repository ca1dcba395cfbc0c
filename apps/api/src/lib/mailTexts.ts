import { linkLifetimes } from "@grove/auth";
import { INVITATION_DAYS } from "@grove/schemas";
import type { Mail, Mailer } from "./mailer";

/*
 * The texts of all mails.
 */

export const verificationMail = (mailer: Mailer, to: string, token: string): Mail => ({
  to,
  subject: "Verify your email address",
  text: `An account was created with this address. If you created it, open this link within ${linkLifetimes.verify_email}, in the browser where you are signed in. Otherwise, ignore this email:`,
  link: mailer.link("verify-email", token),
});

export const resetMail = (
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

export const invitationMail = (
  mailer: Mailer,
  to: string,
  { organization, by, token }: { organization: string; by: string; token: string },
): Mail => ({
  to,
  subject: `You are invited to ${organization}`,
  text: `${by} invites you to ${organization}. Open this link within ${INVITATION_DAYS} days:`,
  link: mailer.link("accept-invitation", token),
});
