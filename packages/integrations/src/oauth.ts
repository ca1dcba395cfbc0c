import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from "arctic";
import type { OAuthCredentials } from "./credentials";
import type { CallContext } from "./defineProvider";
import { ProviderError } from "./errors";
import { readScopes } from "./scopes";

/** A provider's variant of OAuth 2.0 (RFC 6749). */
export interface OAuthDefinition {
  authorizeUrl: string;
  tokenUrl: string;
  scopes: string[];
  /** Separates scopes, if not the standard's space. */
  scopeSeparator?: string;
  /** Whether the provider supports code challenges (RFC 7636). */
  pkce: boolean;
  /** How the client's secret is sent (RFC 6749, section 2.3.1). */
  clientAuthentication: "basic" | "body";
  /** Further parameters of the authorization page. */
  parameters?: Record<string, string>;
  /** The address of the API for OAuth tokens, if it differs from the usual one. */
  apiUrl?: string;
  /** Finds the site that a grant covers, if an account can have several. */
  readSite?(accessToken: string, context: CallContext): Promise<{ id: string; url: string }>;
}

/** An OAuth app that the operator has registered at the provider. */
export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

export interface Authorization {
  redirectUri: string;
  state: string;
  /** For providers that support code challenges. */
  codeVerifier: string;
}

/** The provider's page that asks a person to consent. */
export function authorizationUrl(
  definition: OAuthDefinition,
  { clientId, clientSecret }: OAuthClient,
  { redirectUri, state, codeVerifier }: Authorization,
): string {
  const { authorizeUrl, scopes, scopeSeparator = " ", pkce, parameters = {} } = definition;
  const client = new OAuth2Client(clientId, clientSecret, redirectUri);
  const url = pkce
    ? client.createAuthorizationURLWithPKCE(
        authorizeUrl,
        state,
        CodeChallengeMethod.S256,
        codeVerifier,
        scopes,
      )
    : client.createAuthorizationURL(authorizeUrl, state, scopes);
  url.searchParams.set("scope", scopes.join(scopeSeparator));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The answer of a token endpoint. */
interface Granted {
  credentials: OAuthCredentials;
  scopes: string[] | undefined;
}

/** Exchanges a code for tokens (RFC 6749, section 4.1.3). @throws {ProviderError} `refused` if the code is invalid */
export function exchangeCode(
  definition: OAuthDefinition,
  client: OAuthClient,
  { redirectUri, codeVerifier }: Authorization,
  code: string,
  fetch: CallContext["fetch"],
): Promise<Granted> {
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    ...(definition.pkce && { code_verifier: codeVerifier }),
  };
  return requestTokens(definition, client, form, fetch);
}

/**
 * Refreshes tokens (RFC 6749, section 6).
 * @throws {ProviderError} `unauthorized` once the grant is withdrawn
 */
export async function refreshTokens(
  definition: OAuthDefinition,
  client: OAuthClient,
  { refreshToken = "", site }: OAuthCredentials,
  fetch: CallContext["fetch"],
): Promise<OAuthCredentials> {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken };
  const { credentials } = await requestTokens(definition, client, form, fetch).catch((error) => {
    if (error instanceof ProviderError && error.failure === "refused")
      throw new ProviderError("unauthorized", { detail: error.detail, cause: error });
    throw error;
  });
  // Not every provider issues a new refresh token.
  return { refreshToken, ...credentials, ...(site && { site }) };
}

async function requestTokens(
  { tokenUrl, clientAuthentication }: OAuthDefinition,
  { clientId, clientSecret }: OAuthClient,
  form: Record<string, string>,
  fetch: CallContext["fetch"],
): Promise<Granted> {
  const inBody = clientAuthentication === "body";
  const encoded = [clientId, clientSecret].map(encodeURIComponent).join(":");
  const response = await fetch(tokenUrl, {
    method: "POST",
    headers: {
      accept: "application/json",
      ...(!inBody && { authorization: `Basic ${Buffer.from(encoded).toString("base64")}` }),
    },
    body: new URLSearchParams({
      ...form,
      ...(inBody && { client_id: clientId, client_secret: clientSecret }),
    }),
  });
  const tokens = new OAuth2Tokens((await response.json()) as object);
  const credentials: OAuthCredentials = {
    type: "oauth",
    accessToken: tokens.accessToken(),
    ...(tokens.hasRefreshToken() && { refreshToken: tokens.refreshToken() }),
    ...("expires_in" in tokens.data && { expiresAt: tokens.accessTokenExpiresAt().getTime() }),
  };
  return { credentials, scopes: "scope" in tokens.data ? readScopes(tokens.data.scope) : undefined };
}

/**
 * The error of a token endpoint (RFC 6749, section 5.2), which GitHub sends with status 200; undefined for any other
 * response. If the endpoint does not know this service's client, the failure is `unavailable`: the user cannot fix it.
 */
export function tokenError(json: unknown): ProviderError | undefined {
  if (typeof json !== "object" || json === null || !("error" in json)) return undefined;
  const code = String(json.error);
  const clientErrors = [
    "invalid_client",
    "incorrect_client_credentials",
    "bad_client_secret",
    "invalid_client_id",
  ];
  if (clientErrors.includes(code))
    return new ProviderError("unavailable", {
      detail: "it does not know this service's client id and secret",
    });
  return new ProviderError("refused", { detail: code });
}
