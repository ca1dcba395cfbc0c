import { createHash, randomUUID } from "node:crypto";
import { type Received, type Reply, useProviderServer } from "./server";

interface Grant {
  redirectUri: string;
  challenge: string | null;
}

export const oauthClient = { clientId: "Iv1.0123456789abcdef", clientSecret: "a client's secret" };

/** The peculiarities of a provider's authorization server. */
interface Habits {
  clientAuthentication: "basic" | "body";
  /** GitHub sends errors with status 200. */
  errorStatus?: number;
  /** Tokens expire, and come with a refresh token that works once. */
  expires?: boolean;
}

/**
 * An authorization server (RFC 6749, 7636) at which everyone consents immediately. `issue` returns the access token
 * that the provider accepts from now on.
 */
export async function useOAuth(
  { clientAuthentication, errorStatus = 400, expires }: Habits,
  issue: () => string,
) {
  const grants = new Map<string, Grant>();
  const state = {
    refreshToken: "",
    refreshed: 0,
    withdrawn: false,
    expiresIn: 3600,
    site: undefined as object | undefined,
  };
  const refused = (error: string): Reply => ({
    status: errorStatus,
    json: { error, error_description: `description of ${error}` },
  });
  const handle = ({ method, path, query, headers, body }: Received): Reply | undefined => {
    const route = `${method} ${path}`;
    if (route === "GET /oauth/token/accessible-resources" && state.site) return { json: [state.site] };
    if (route === "GET /authorize") {
      const redirectUri = query.get("redirect_uri") ?? "";
      const code = randomUUID();
      grants.set(code, { redirectUri, challenge: query.get("code_challenge") });
      const back = new URL(redirectUri);
      back.searchParams.set("code", code);
      back.searchParams.set("state", query.get("state") ?? "");
      return { status: 302, headers: { location: back.href } };
    }
    if (route !== "POST /token") return undefined;
    const form = body as Record<string, string>;
    if (!isClient(clientAuthentication, headers.authorization, form)) return refused("invalid_client");
    if (form.grant_type === "refresh_token") {
      if (state.withdrawn || form.refresh_token !== state.refreshToken) return refused("invalid_grant");
      state.refreshed += 1;
    } else {
      const grant = grants.get(form.code ?? "");
      grants.delete(form.code ?? "");
      const verifier = createHash("sha256")
        .update(form.code_verifier ?? "")
        .digest("base64url");
      const proven = grant?.challenge === null || grant?.challenge === verifier;
      if (!grant || !proven || grant.redirectUri !== form.redirect_uri)
        return refused("bad_verification_code");
    }
    if (expires) state.refreshToken = randomUUID();
    return {
      json: {
        access_token: issue(),
        token_type: "Bearer",
        scope: "read",
        ...(expires && { expires_in: state.expiresIn, refresh_token: state.refreshToken }),
      },
    };
  };
  const server = await useProviderServer(handle);
  const urls = { authorizeUrl: `${server.url}/authorize`, tokenUrl: `${server.url}/token` };
  return Object.assign(server, { state, urls });
}

function isClient(
  how: Habits["clientAuthentication"],
  authorization: string | undefined,
  form: Record<string, string>,
) {
  const { clientId, clientSecret } = oauthClient;
  if (how === "body") return form.client_id === clientId && form.client_secret === clientSecret;
  const encoded = [clientId, clientSecret].map(encodeURIComponent).join(":");
  return authorization === `Basic ${Buffer.from(encoded).toString("base64")}`;
}
