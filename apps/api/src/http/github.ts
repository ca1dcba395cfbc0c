import { finishOAuth, GroveError, signInWithProvider, startOAuth } from "@grove/auth";
import { CodeChallengeMethod, OAuth2Client } from "arctic";
import type { FastifyPluginAsync } from "fastify";
import * as z from "zod";
import { startOver } from "../accounts/startOver";
import { admitWithAddress } from "./admission";
import { exchange, gitHubEndpoints, readProfile, refused } from "./githubApi";
import { ownOrigins } from "./protect";
import { networkOf } from "./rateLimits";
import { answerSignedIn, clientOf, type SignInServices, sessionHolder } from "./signedIn";

const COOKIE_NAME = "grove_oauth";
const path = "/api/auth/github";

const startQuery = z.object({ redirectTo: z.url({ normalize: true }).max(2000).optional() });
const callbackQuery = z.object({
  state: z.string().max(200),
  code: z.string().max(1000).optional(),
  error: z.string().max(1000).optional(),
});

/**
 * Sign-in with GitHub, in a browser.
 * - GET /api/auth/github: redirects to GitHub. After sign-in the browser goes to `redirectTo`, a page of PUBLIC_URL or
 *   WEB_ORIGINS; without it the callback answers as sign-in does.
 * - GET /api/auth/github/callback: BAD_REQUEST `token_invalid` unless this browser began it and comes back for the
 *   first time, `oauth_failed` when GitHub or the person refuses, FORBIDDEN `email_unverified` when GitHub has not
 *   verified the address. For all errors but the first, the browser goes to a known `redirectTo`, with `?error=` and
 *   the reason.
 */
export const githubRoutes: FastifyPluginAsync<SignInServices> = async (server, services) => {
  const { auth, config, limits } = services;
  const { github, publicUrl } = config;
  if (!github || publicUrl === undefined) {
    for (const url of [path, `${path}/callback`])
      server.get(url, async () => {
        throw notConfigured();
      });
    return;
  }
  const endpoints = github.endpoints ?? gitHubEndpoints;
  const callbackUrl = new URL(`${path}/callback`, publicUrl).href;
  const client = new OAuth2Client(github.clientId, github.clientSecret, callbackUrl);
  const origins = ownOrigins(config);
  server.addHook("onRequest", async (request) => limits.address.take(networkOf(request.ip)));

  server.get(path, async (request, reply) => {
    const { redirectTo } = startQuery.parse(request.query);
    if (redirectTo !== undefined && !origins.has(new URL(redirectTo).origin))
      throw new GroveError("BAD_REQUEST", "redirectTo: must be a page of PUBLIC_URL or one of WEB_ORIGINS.", {
        reason: "redirect_not_allowed",
      });
    const { state, browserSecret } = await startOAuth(auth, redirectTo);
    reply.setCookie(COOKIE_NAME, browserSecret, {
      path,
      httpOnly: true,
      secure: publicUrl.startsWith("https:"),
      sameSite: "lax",
      maxAge: 600,
    });
    const scopes = ["read:user", "user:email"];
    const url = client.createAuthorizationURLWithPKCE(
      endpoints.authorize,
      state,
      CodeChallengeMethod.S256,
      browserSecret,
      scopes,
    );
    return reply.redirect(url.href);
  });

  server.get(`${path}/callback`, async (request, reply) => {
    const { state, code, error } = callbackQuery.parse(request.query);
    const browserSecret = request.cookies[COOKIE_NAME] ?? "";
    reply.clearCookie(COOKIE_NAME, { path });
    const { redirectTo } = await finishOAuth(auth, { state, browserSecret });
    const signIn = async () => {
      if (code === undefined) throw refused(error ?? "no code");
      const accessToken = await exchange(github, endpoints.token, callbackUrl, code, browserSecret);
      return signInWithProvider(auth, await readProfile(endpoints.api, accessToken), clientOf(request), {
        admit: admitWithAddress(config),
        holder: await sessionHolder(services, request),
        startOver,
      });
    };
    if (redirectTo === null) return answerSignedIn(services, reply, await signIn());
    try {
      answerSignedIn(services, reply, await signIn());
      return reply.redirect(redirectTo, 303);
    } catch (cause) {
      if (!(cause instanceof GroveError) || cause.reason === undefined) throw cause;
      request.log.warn({ reqId: request.id, err: cause }, "sign-in with GitHub failed");
      const back = new URL(redirectTo);
      back.searchParams.set("error", cause.reason);
      return reply.redirect(back.href, 303);
    }
  });
};

const notConfigured = () =>
  new GroveError("PRECONDITION_FAILED", "Sign-in with GitHub is not set up here. Use a password.", {
    reason: "oauth_not_configured",
  });
