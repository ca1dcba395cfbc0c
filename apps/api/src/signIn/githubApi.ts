import { GroveError, type ProviderProfile } from "@grove/auth";
import { email, image, name } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { OAuth2Tokens } from "arctic";
import * as z from "zod";

/** An OAuth app at GitHub; its callback URL is `PUBLIC_URL/api/auth/github/callback`. */
export interface GitHubConfig {
  clientId: string;
  clientSecret: string;
  /** The endpoints of a GitHub Enterprise Server; github.com's when omitted. */
  endpoints?: typeof gitHubEndpoints;
}

export const gitHubEndpoints = {
  authorize: "https://github.com/login/oauth/authorize",
  token: "https://github.com/login/oauth/access_token",
  api: "https://api.github.com",
};

/** The endpoints of a GitHub Enterprise Server (docs.github.com, "Authorizing OAuth apps"). */
export const enterpriseEndpoints = (url: string): typeof gitHubEndpoints => ({
  authorize: `${url}/login/oauth/authorize`,
  token: `${url}/login/oauth/access_token`,
  api: `${url}/api/v3`,
});

const TIMEOUT_MS = 10_000;
/** Profiles and lists of addresses are a few KiB. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** The fields used here of GET /user and GET /user/emails (docs.github.com/rest/users). */
const gitHubUser = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const gitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** The error of a sign-in that GitHub or the person refuses. */
export const refused = (cause: unknown) =>
  new GroveError("BAD_REQUEST", "GitHub refused to sign you in. Start again.", {
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
 * @throws {GroveError} `oauth_failed`: BAD_REQUEST when GitHub refuses, BAD_GATEWAY when it does not answer
 */
export async function exchange(
  { clientId, clientSecret }: Pick<GitHubConfig, "clientId" | "clientSecret">,
  endpoint: string,
  callbackUrl: string,
  code: string,
  codeVerifier: string,
): Promise<string> {
  const answer = await fetchJson(endpoint, {
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

/**
 * The profile of the person behind an access token, with the primary address.
 * @throws {GroveError} FORBIDDEN `email_unverified`; BAD_GATEWAY `oauth_failed` when GitHub does not answer as expected
 */
export async function readProfile(api: string, accessToken: string): Promise<ProviderProfile> {
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
      "Your primary email address on GitHub is not verified. Verify it there first.",
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
  return schema.parse(await fetchJson(url, { headers }));
}

/** Fetches a response's JSON, with limits on its size and time. */
async function fetchJson(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: timeoutSignal(TIMEOUT_MS) });
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
