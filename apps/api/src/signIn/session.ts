import { type PrincipalUser, type SessionCookie, sessionCookie, toUser } from "@grove/auth";
import type { SignedIn } from "@grove/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../services";

/** The services that the sign-in routes need. */
export type SignInServices = Pick<Services, "auth" | "config" | "limits" | "log" | "lookups" | "mailer">;

/** Returns a new session in two forms: a script keeps the token, a browser the cookie. */
export function answerSignedIn(
  { auth, config }: SignInServices,
  reply: FastifyReply,
  { user, secret }: { user: PrincipalUser; secret: string },
): SignedIn {
  setCookie(reply, sessionCookie(auth, secret));
  return { user: toUser(user, config.adminEmailDomain), token: secret };
}

export const setCookie = (reply: FastifyReply, { name, value, attributes }: SessionCookie) =>
  reply.setCookie(name, value, attributes);

/** A session's address and user agent, for the user's list of sessions. */
export const clientOf = (request: FastifyRequest) => ({
  ip: request.ip,
  userAgent: request.headers["user-agent"] ?? null,
});

/** The user of the session that a request presents, if it presents one. */
export async function sessionHolder(
  { lookups }: SignInServices,
  request: FastifyRequest,
): Promise<string | undefined> {
  const principal = await lookups.principalOf(request);
  return principal?.kind === "session" ? principal.user.id : undefined;
}
