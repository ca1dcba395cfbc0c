import {
  blankSessionCookie,
  GroveError,
  type PrincipalUser,
  requireSession,
  resolvePrincipal,
  type SessionCookie,
  sessionCookie,
  signIn,
  signOut,
  signUp,
  toUser,
} from "@grove/auth";
import { type Success, type sessionInfo, type signedIn, signInInput, signUpInput } from "@grove/schemas";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Services } from "../services";
import { presentedSecret } from "./credential";

/** Accounts and sessions: JSON in and out. Errors have tRPC's shape, as everywhere. */
export const authRoutes: FastifyPluginAsync<Pick<Services, "auth" | "config">> = async (
  server,
  { auth, config },
) => {
  // Whatever this says is one person's.
  server.addHook("onRequest", async (_, reply) => {
    reply.header("cache-control", "no-store");
  });

  /** The session's secret goes out twice: a script keeps the token, a browser the cookie. */
  const answer = (reply: FastifyReply, { user, secret }: { user: PrincipalUser; secret: string }) => {
    setCookie(reply, sessionCookie(auth, secret));
    return { user: toUser(user, config.adminEmailDomain), token: secret } satisfies z.infer<typeof signedIn>;
  };

  server.post("/api/auth/sign-up", async (request, reply) => {
    const input = signUpInput.parse(request.body);
    if (config.signUp !== "open")
      throw new GroveError("FORBIDDEN", "Nobody can sign up here. Ask an administrator for an account.", {
        reason: "sign_up_closed",
      });
    return answer(reply, await signUp(auth, input, clientOf(request)));
  });

  server.post("/api/auth/sign-in", async (request, reply) =>
    answer(reply, await signIn(auth, signInInput.parse(request.body), clientOf(request))),
  );

  /** Ends the session presented. Without one, or with one that has ended, there is nothing left to do. */
  server.post("/api/auth/sign-out", async (request, reply): Promise<Success> => {
    const presented = presentedSecret(request);
    if (presented) await signOut(auth, presented.secret);
    setCookie(reply, blankSessionCookie(auth));
    return { success: true };
  });

  server.get("/api/auth/session", async (request, reply): Promise<z.infer<typeof sessionInfo>> => {
    const presented = presentedSecret(request);
    const session = requireSession(presented && (await resolvePrincipal(auth, presented.secret)));
    if (session.fresh && presented?.via === "cookie") setCookie(reply, sessionCookie(auth, session.secret));
    return {
      user: toUser(session.user, config.adminEmailDomain),
      session: { id: session.sessionId, expiresAt: session.expiresAt.toISOString() },
    };
  });
};

const setCookie = (reply: FastifyReply, { name, value, attributes }: SessionCookie) =>
  reply.setCookie(name, value, attributes);

const clientOf = (request: FastifyRequest) => ({
  ip: request.ip,
  userAgent: request.headers["user-agent"] ?? null,
});
