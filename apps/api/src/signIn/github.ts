import { finishOAuth, GroveError, signInWithProvider, startOAuth } from "@grove/auth";
import { CodeChallengeMethod, OAuth2Client } from "arctic";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import * as z from "zod";
import { resetMemberships } from "../accounts/resetMemberships";
import { consoleUrl, wantsConsole } from "../lib/consoleAddress";
import { ownOrigins } from "../lib/ownOrigins";
import { networkOf } from "../limits/rateLimits";
import { exchange, gitHubEndpoints, readProfile, refused } from "./githubApi";
import { answerSignedIn, clientOf, type SignInServices, sessionHolder } from "./session";
import { admitWithAddress } from "./signUpPolicy";

const COOKIE_NAME = "grove_oauth";
const path = "/api/auth/github";

// Only an http or https URL has its page's origin: `blob:https://example.com/…` has the same origin, but is not a page.
const startQuery = z.object({
  redirectTo: z
    .url({ protocol: /^https?$/, normalize: true })
    .max(2000)
    .optional(),
});
const callbackQuery = z.object({
  state: z.string().max(200),
  code: z.string().max(1000).optional(),
  error: z.string().max(1000).optional(),
});

/**
 * Sign-in with GitHub, in a browser.
 * - GET /api/auth/github: redirects to GitHub. After sign-in the browser goes to `redirectTo`, a page of PUBLIC_URL or
 *   WEB_ORIGINS; without it, to the console. Without a console, or for a program, the callback answers as sign-in does.
 * - GET /api/auth/github/callback: BAD_REQUEST `token_invalid` unless this browser began it and comes back for the
 *   first time, `oauth_failed` when GitHub or the person refuses, FORBIDDEN `email_unverified` when GitHub has not
 *   verified the address. A person's browser goes to the console, `/sign-in?to=<the page>#error=<reason>`; from a
 *   `redirectTo` of another web application it goes there, with `?error=`, but for the first error.
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
    const signIn = async () => {
      if (code === undefined) throw refused(error ?? "no code");
      const accessToken = await exchange(github, endpoints.token, callbackUrl, code, browserSecret);
      return signInWithProvider(auth, await readProfile(endpoints.api, accessToken), clientOf(request), {
        admit: admitWithAddress(config),
        holder: await sessionHolder(services, request),
        resetMemberships,
      });
    };
    let wanted: string | null = null;
    try {
      wanted = (await finishOAuth(auth, { state, browserSecret })).redirectTo;
      const answer = answerSignedIn(services, reply, await signIn());
      const next = wanted ?? (wantsConsole(request, config) ? "/" : undefined);
      return next === undefined ? answer : reply.redirect(next, 303);
    } catch (cause) {
      const reason = cause instanceof GroveError ? cause.reason : undefined;
      const refusalPage = reason && pageOfRefusal(request, wanted, reason);
      if (!refusalPage) throw cause;
      request.log.warn({ reqId: request.id, err: cause }, "sign-in with GitHub failed");
      return reply.redirect(refusalPage, 303);
    }
  });

  /** The page that shows a browser why it is not signed in; undefined if the response itself has the reason. */
  function pageOfRefusal(request: FastifyRequest, wanted: string | null, reason: string): string | undefined {
    const page = wanted === null ? undefined : new URL(wanted);
    const isOfConsole = page === undefined || page.origin === new URL(callbackUrl).origin;
    if (isOfConsole && wantsConsole(request, config)) {
      const to = page && page.pathname + page.search;
      return consoleUrl(`/sign-in${to ? `?${new URLSearchParams({ to })}` : ""}`, { error: reason });
    }
    page?.searchParams.set("error", reason);
    return page?.href;
  }
};

const notConfigured = () =>
  new GroveError("PRECONDITION_FAILED", "Sign-in with GitHub is not set up here. Use a password.", {
    reason: "oauth_not_configured",
  });
