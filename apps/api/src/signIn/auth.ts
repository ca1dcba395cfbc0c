import {
  blankSessionCookie,
  GroveError,
  requireSession,
  sessionCookie,
  signIn,
  signOut,
  signUp,
  toUser,
} from "@grove/auth";
import { type AuthOptions, type SessionInfo, type Success, signInInput, signUpInput } from "@grove/schemas";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { version } from "../../package.json";
import { presentedSecret } from "../lib/credential";
import { verificationMail } from "../lib/mailTexts";
import { networkOf } from "../limits/rateLimits";
import { emailRoutes } from "./emails";
import { githubRoutes } from "./github";
import { linkRoutes } from "./oneTimeLinks";
import { answerSignedIn, clientOf, type SignInServices, setCookie } from "./session";
import { admitWithToken } from "./signUpPolicy";

/** Accounts and sessions: JSON in and out. Errors have tRPC's shape, as everywhere. */
export const authRoutes: FastifyPluginAsync<SignInServices> = async (server, services) => {
  const { auth, config, limits, lookups, mailer } = services;
  // Every response here is personal.
  server.addHook("onRequest", async (_, reply) => {
    reply.header("cache-control", "no-store");
  });

  /** Makes an account, as far as SIGN_UP allows, and mails a link that verifies its address. */
  server.post("/api/auth/sign-up", async (request, reply) => {
    limits.address.take(networkOf(request.ip));
    const { invitationToken, ...input } = signUpInput.parse(request.body);
    const admit = admitWithToken(config, invitationToken);
    const { verificationToken, ...signedUp } = await signUp(auth, input, clientOf(request), admit);
    // The owner of a service without mail has no address to verify.
    if (verificationToken !== null && (config.signUp !== "first" || config.smtp !== undefined))
      mailer.send(() => verificationMail(mailer, input.email, verificationToken));
    return answerSignedIn(services, reply, signedUp);
  });

  server.post("/api/auth/sign-in", async (request, reply) => {
    const network = networkOf(request.ip);
    limits.address.take(network);
    const input = signInInput.parse(request.body);
    limits.account.take(input.email, network);
    const signedIn = await signIn(auth, input, clientOf(request));
    limits.account.clear(input.email, network);
    return answerSignedIn(services, reply, signedIn);
  });

  /** Ends the presented session. Without a session, or with an ended one, nothing is left to do. */
  server.post("/api/auth/sign-out", async (request, reply): Promise<Success> => {
    const presented = presentedSecret(request);
    if (presented) await lookups.runLimited(request, () => signOut(auth, presented.secret));
    setCookie(reply, blankSessionCookie(auth));
    return { success: true };
  });

  const sessionOf = async (request: FastifyRequest, reply: FastifyReply): Promise<SessionInfo> => {
    const presented = presentedSecret(request);
    const session = requireSession(await lookups.principalOf(request));
    if (session.fresh && presented?.via === "cookie") setCookie(reply, sessionCookie(auth, session.secret));
    return {
      user: toUser(session.user, config.adminEmailDomain),
      session: { id: session.sessionId, expiresAt: session.expiresAt.toISOString() },
    };
  };

  server.get("/api/auth/session", sessionOf);

  /** Where a page begins: the ways to sign in and to sign up, and the session. A missing one is not an error here. */
  server.get("/api/auth/options", async (request, reply): Promise<AuthOptions> => {
    const session = await sessionOf(request, reply).catch((error: unknown) => {
      if (error instanceof GroveError && error.code === "UNAUTHORIZED") return null;
      throw error;
    });
    const { signUp, local = false } = config;
    const [github, mail] = [config.github !== undefined, config.smtp !== undefined];
    const linkCommand = local ? (config.linkCommand ?? "grove link") : null;
    return { signUp, github, mail, local, linkCommand, version, session };
  });

  if (config.local) await server.register(linkRoutes, services);
  await server.register(emailRoutes, services);
  await server.register(githubRoutes, services);
};
