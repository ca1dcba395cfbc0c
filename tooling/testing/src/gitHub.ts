import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface GitHubPerson {
  id: number;
  login: string;
  name: string | null;
  avatar_url: string;
  emails: { email: string; primary: boolean; verified: boolean; visibility: string | null }[];
}

interface Grant {
  person: GitHubPerson;
  redirectUri: string;
  challenge: string;
}

const clientId = "Iv1.0123456789abcdef";
const clientSecret = "a-client-secret";

/**
 * For test files: a GitHub Enterprise Server, as far as GitHub documents it: the web application flow (docs.github.com,
 * "Authorizing OAuth apps"), and of its REST API, below /api/v3, /user and /user/emails. The user in `person` consents
 * immediately; without one, the user refuses.
 */
export async function useGitHub() {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, GitHubPerson>();
  const state = { person: undefined as GitHubPerson | undefined, down: false, endless: false };

  const authorize = (url: URL, response: ServerResponse) => {
    const query = url.searchParams;
    const redirectUri = query.get("redirect_uri") ?? "";
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    if (query.get("client_id") !== clientId) return send(response, 404, {});
    if (state.person) {
      const code = randomUUID().replaceAll("-", "").slice(0, 20);
      const challenge = query.get("code_challenge_method") === "S256" ? query.get("code_challenge") : null;
      grants.set(code, { person: state.person, redirectUri, challenge: challenge ?? "" });
      back.searchParams.set("code", code);
    } else {
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", "The user has denied your application access.");
    }
    response.writeHead(302, { location: back.href }).end();
  };

  const exchange = async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const form = new URLSearchParams(body);
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    if (request.headers.authorization !== basic)
      return send(response, 200, { error: "incorrect_client_credentials" });
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get("redirect_uri"))
      return send(response, 200, {
        error: "bad_verification_code",
        error_description: "The code passed is incorrect or expired.",
        error_uri:
          "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/#bad-verification-code",
      });
    const token = `gho_${randomUUID().replaceAll("-", "")}`;
    tokens.set(token, grant.person);
    send(response, 200, { access_token: token, scope: "read:user,user:email", token_type: "bearer" });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://github.test");
    const route = `${request.method} ${url.pathname}`;
    if (route === "GET /login/oauth/authorize") return authorize(url, response);
    if (state.down) return send(response, 503, { message: "Service Unavailable" });
    if (route === "POST /login/oauth/access_token") return exchange(request, response);
    const person = tokens.get(request.headers.authorization?.replace("Bearer ", "") ?? "");
    if (!request.headers["user-agent"]) return send(response, 403, { message: "Request forbidden" });
    if (!person) return send(response, 401, { message: "Bad credentials" });
    if (state.endless) return pour(response);
    const { emails, ...user } = person;
    if (route === "GET /api/v3/user") return send(response, 200, { ...user, type: "User", email: null });
    if (route === "GET /api/v3/user/emails") return send(response, 200, emails);
    send(response, 404, { message: "Not Found" });
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { state, url, clientId, clientSecret };
}

const send = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
};

/** An answer that does not end before its reader disconnects. */
function pour(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, " ")));
  };
  response.writeHead(200, { "content-type": "application/json" }).on("drain", more);
  more();
}
