import { finishOAuth, GroveError, type ProviderProfile, signInWithProvider, startOAuth } from "@grove/auth";
import { email, image, name } from "@grove/schemas";
import { limit } from "@grove/signals";
import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from "arctic";
import type { FastifyPluginAsync } from "fastify";
import * as z from "zod";
import { startOver } from "../accounts/startOver";
import { admitWithAddress } from "./admission";
import { ownOrigins } from "./protect";
import { networkOf } from "./rateLimits";
import { answerSignedIn, clientOf, type SignInServices, sessionHolder } from "./signedIn";

/** An OAuth app at GitHub; its callback URL is `PUBLIC_URL/api/auth/github/callback`. */
export interface GitHubConfig {
  clientId: string;
  clientSecret: string;
  /** Endpoints other than github.com's, for tests. */
  endpoints?: typeof gitHubEndpoints;
}

const gitHubEndpoints = {
  authorize: "https://github.com/login/oauth/authorize",
  token: "https://github.com/login/oauth/access_token",
  api: "https://api.github.com",
};

const TIMEOUT_MS = 10_000;
/** Profiles and lists of addresses are a few KiB. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const COOKIE_NAME = "grove_oauth";
const path = "/api/auth/github";

const startQuery = z.object({ redirectTo: z.url({ normalize: true }).max(2000).optional() });
const callbackQuery = z.object({
  state: z.string().max(200),
  code: z.string().max(1000).optional(),
  error: z.string().max(1000).optional(),
});

/** The fields used here of GET /user and GET /user/emails (docs.github.com/rest/users). */
const gitHubUser = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const gitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

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

const refused = (cause: unknown) =>
  new GroveError("BAD_REQUEST", "GitHub refused to sign you in. Begin again.", {
    reason: "oauth_failed",
    cause,
  });

const unreachable = (cause: unknown) =>
  new GroveError("BAD_GATEWAY", "GitHub did not answer as expected. Try again later.", {
    reason: "oauth_failed",
    cause,
  });

/**
 * Exchanges the code for an access token (RFC 6749, section 4.1.3). GitHub refuses a code with a 200 that has no token.
 */
async function exchange(
  { clientId, clientSecret }: Pick<GitHubConfig, "clientId" | "clientSecret">,
  endpoint: string,
  callbackUrl: string,
  code: string,
  codeVerifier: string,
): Promise<string> {
  const answer = await ask(endpoint, {
    method: "POST",
    headers: {
      accept: "application/json",
      "user-agent": "grove",
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
    },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: callbackUrl,
      code_verifier: codeVerifier,
    }),
  }).catch((cause) => {
    throw unreachable(cause);
  });
  try {
    if (typeof answer !== "object" || answer === null) throw new TypeError("The answer is no object.");
    return new OAuth2Tokens(answer).accessToken();
  } catch (cause) {
    throw refused(cause);
  }
}

async function readProfile(api: string, accessToken: string): Promise<ProviderProfile> {
  const [user, addresses] = await Promise.all([
    get(`${api}/user`, accessToken, gitHubUser),
    get(`${api}/user/emails?per_page=100`, accessToken, gitHubEmails),
  ]).catch((cause) => {
    throw unreachable(cause);
  });
  const primary = addresses.find((address) => address.primary && address.verified);
  if (!primary)
    throw new GroveError(
      "FORBIDDEN",
      "Your primary address at GitHub is not verified. Verify it there first.",
      {
        reason: "email_unverified",
      },
    );
  const address = email.safeParse(primary.email);
  if (!address.success) throw refused(address.error);
  return {
    provider: "github",
    providerUserId: String(user.id),
    email: address.data,
    name: name.catch(user.login).parse(user.name),
    image: image.nullable().catch(null).parse(user.avatar_url),
  };
}

async function get<Schema extends z.ZodType>(url: string, accessToken: string, schema: Schema) {
  const headers = {
    authorization: `Bearer ${accessToken}`,
    accept: "application/vnd.github+json",
    "user-agent": "grove",
    "x-github-api-version": "2022-11-28",
  };
  return schema.parse(await ask(url, { headers }));
}

/** Fetches an answer's JSON, with limits on its size and time. */
async function ask(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: limit(TIMEOUT_MS) });
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`${url} answered more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
