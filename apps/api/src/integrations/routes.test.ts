import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@grove/db";
import { gitHubToken, jiraToken, oauthClient, useOAuth, useProviders } from "@grove/integrations/testing";
import type { IntegrationProvider } from "@grove/schemas";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { start } from "../server";
import { addMember } from "../testing/fixtures";
import { failure, type Person, stockClient, useTestServer } from "../testing/server";

const publicUrl = "http://localhost:3999";
const providers = await useProviders();
const { servers } = providers;

const atLinear = await useOAuth({ clientAuthentication: "body", expires: true }, () => {
  const token = `lin_oauth_${newId()}`;
  servers.linear.state.authorization = `Bearer ${token}`;
  return token;
});
const atGitHub = await useOAuth({ clientAuthentication: "basic", errorStatus: 200 }, () => gitHubToken);
const atJira = await useOAuth({ clientAuthentication: "body", expires: true }, () => jiraToken);

const webDir = await mkdtemp(join(tmpdir(), "grove-console-"));
afterAll(() => rm(webDir, { recursive: true }));
await writeFile(join(webDir, "index.html"), "<title>Grove</title>");
const server = await useTestServer({
  publicUrl,
  webDir,
  integrations: {
    ...providers.options,
    privateHosts: [
      ...providers.options.privateHosts,
      ...[atGitHub, atLinear, atJira].map(({ urls }) => new URL(urls.tokenUrl).host),
    ],
    apiUrls: { ...providers.options.apiUrls, jira: servers.jira.url },
    oauthClients: { github: oauthClient, linear: oauthClient, jira: oauthClient },
    oauthUrls: { github: atGitHub.urls, linear: atLinear.urls, jira: atJira.urls },
  },
});
const { db } = server.database;

const site = { id: "1324a887-45db-1bf4-1e99-ef0ff456d421", url: "https://acme.atlassian.net" };

beforeEach(() => {
  for (const oauth of [atGitHub, atLinear, atJira]) {
    oauth.override = undefined;
    Object.assign(oauth.state, { withdrawn: false, expiresIn: 3600, refreshed: 0 });
  }
  // The gateway lists sites too.
  servers.jira.override = ({ path }) =>
    path === "/oauth/token/accessible-resources" ? { json: [site] } : undefined;
  servers.linear.override = undefined;
});

const begin = async (person: Person, provider: IntegrationProvider, organizationId = person.organizationId) =>
  (await person.client.integration.authorizeUrl.mutate({ organizationId, provider })).url;

/** Follows the flow to the address that the provider sends the browser back to. */
async function consent(url: string): Promise<string> {
  const response = await fetch(url, { redirect: "manual" });
  expect(response.status).toBe(302);
  return response.headers.get("location") ?? "";
}

/** Where the browser of the person with this session ends up; no token: the session has ended. */
async function landing(token: string | undefined, location: string) {
  const accept = "text/html,application/xhtml+xml";
  const response = await fetch(location.replace(publicUrl, server.url), {
    headers: token === undefined ? { accept } : { accept, cookie: `grove_session=${token}` },
    redirect: "manual",
  });
  return `${response.status} ${response.headers.get("location")}`;
}

/** The answer there to the browser that holds this session. */
async function followRedirect(token: string | undefined, location: string) {
  const response = await fetch(location.replace(publicUrl, server.url), {
    headers: token === undefined ? {} : { cookie: `grove_session=${token}` },
  });
  const answer = (await response.json()) as { id?: string; error?: { data: { reason?: string } } };
  return { status: response.status, reason: answer.error?.data.reason, id: answer.id };
}

const authorize = async (person: Person, provider: IntegrationProvider) =>
  followRedirect(person.token, await consent(await begin(person, provider)));

const listOf = ({ client, organizationId }: Person) => client.integration.list.query({ organizationId });

describe("an authorization", () => {
  it("connects the account, with a code challenge where the provider supports it", async () => {
    const ada = await server.signUp("Ada");
    const url = new URL(await begin(ada, "linear"));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: oauthClient.clientId,
      redirect_uri: `${publicUrl}/api/integrations/callback`,
      scope: "read,admin",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    const { status, id } = await followRedirect(ada.token, await consent(url.href));
    expect(status).toBe(200);
    expect(await listOf(ada)).toMatchObject([
      // The test server grants less than was requested.
      { id, provider: "linear", accountName: "Acme", scopes: ["read"], receivesEvents: true },
    ]);
    const teams = await ada.client.integration.tracker.listTeams.query({
      organizationId: ada.organizationId,
    });
    expect(teams).toMatchObject([{ key: "LIN" }]);
  });

  it("redirects a person to a page of the console, which shows the outcome", async () => {
    const ada = await server.signUp("Ada");
    const { slug } = await ada.client.organization.get.query({ organizationId: ada.organizationId });
    const back = await consent(await begin(ada, "linear"));
    expect(await landing(ada.token, back)).toBe(`303 /o/${slug}/settings?tab=integrations#connected=linear`);
    expect(await listOf(ada)).toMatchObject([{ provider: "linear" }]);
    expect(await landing(ada.token, back)).toBe("303 /account#refused=token_invalid");
    const refused = new URL(await consent(await begin(ada, "github")));
    refused.searchParams.delete("code");
    expect(await landing(undefined, refused.href)).toBe("303 /sign-in#error=session_required");
    expect(await landing(ada.token, refused.href)).toBe(
      `303 /o/${slug}/settings?tab=integrations#refused=oauth_failed`,
    );
  });

  it("finds the site of a grant", async () => {
    const ada = await server.signUp("Ada");
    expect(new URL(await begin(ada, "jira")).searchParams.get("code_challenge")).toBeNull();
    expect((await authorize(ada, "jira")).status).toBe(200);
    expect(await listOf(ada)).toMatchObject([{ accountName: "acme.atlassian.net", receivesEvents: false }]);
    const [issue] = await ada.client.integration.tracker.listIssues.query({
      organizationId: ada.organizationId,
    });
    expect(issue?.url).toBe("https://acme.atlassian.net/browse/ED-0");
  });

  it("has the scopes of the token itself where the provider states them", async () => {
    const ada = await server.signUp("Ada");
    expect((await authorize(ada, "github")).status).toBe(200);
    expect(await listOf(ada)).toMatchObject([{ scopes: ["repo", "admin:repo_hook", "read:user"] }]);
  });

  it("is finished once, in the session that began it", async () => {
    const ada = await server.signUp("Ada");
    const eve = await server.signUp("Eve");
    const back = await consent(await begin(ada, "github"));
    const another = await server.signIn(ada.user.email);
    expect(await followRedirect(undefined, back)).toMatchObject({ status: 401 });
    for (const token of [eve.token, another.token])
      expect(await followRedirect(token, back)).toMatchObject({ status: 400, reason: "token_invalid" });
    expect(await followRedirect(ada.token, back)).toMatchObject({ status: 200 });
    expect(await followRedirect(ada.token, back)).toMatchObject({ status: 400, reason: "token_invalid" });
    expect(await listOf(eve)).toEqual([]);
  });

  it("expires, and ends when another is begun; its stored part is not secret", async () => {
    const ada = await server.signUp("Ada");
    const first = await consent(await begin(ada, "github"));
    const second = await consent(await begin(ada, "github"));
    expect(await followRedirect(ada.token, first)).toMatchObject({ reason: "token_invalid" });
    const rows = await db.selectFrom("integration_oauth_states").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(new URL(second).searchParams.get("state"));
    await db.updateTable("integration_oauth_states").set({ expires_at: new Date() }).execute();
    expect(await followRedirect(ada.token, second)).toMatchObject({ reason: "token_invalid" });
  });

  it("fails for a user who is no longer an admin", async () => {
    const owner = await server.signUp("Owner");
    const admin = await server.signUp("Admin");
    const { organizationId } = owner;
    await addMember(server, organizationId, admin, "admin");
    const back = await consent(await begin(admin, "github", organizationId));
    await owner.client.organization.updateMemberRole.mutate({
      organizationId,
      userId: admin.user.id,
      role: "member",
    });
    expect(await followRedirect(admin.token, back)).toMatchObject({ status: 403, reason: "role_required" });
    const gone = await server.signUp("Gone");
    await addMember(server, organizationId, gone, "admin");
    const late = await consent(await begin(gone, "github", organizationId));
    await gone.client.organization.leave.mutate({ organizationId });
    expect(await followRedirect(gone.token, late)).toMatchObject({ status: 403, reason: "not_a_member" });
    expect(await listOf(owner)).toEqual([]);
  });

  it("fails when the person or the provider refuses, and when the provider is down", async () => {
    const ada = await server.signUp("Ada");
    const refused = new URL(await consent(await begin(ada, "github")));
    refused.searchParams.delete("code");
    refused.searchParams.set("error", "access_denied");
    expect(await followRedirect(ada.token, refused.href)).toMatchObject({
      status: 400,
      reason: "oauth_failed",
    });
    const guessed = new URL(await consent(await begin(ada, "github")));
    guessed.searchParams.set("code", newId());
    expect(await followRedirect(ada.token, guessed.href)).toMatchObject({
      status: 400,
      reason: "oauth_failed",
    });
    const back = await consent(await begin(ada, "github"));
    atGitHub.override = () => ({ status: 503, text: "" });
    expect(await followRedirect(ada.token, back)).toMatchObject({
      status: 502,
      reason: "provider_unavailable",
    });
    expect((await followRedirect(ada.token, `${publicUrl}/api/integrations/callback`)).status).toBe(400);
  });

  it("is not available without an OAuth app", async () => {
    const ada = await server.signUp("Ada");
    for (const provider of ["slack", "discord"] as const)
      expect(await failure(begin(ada, provider))).toMatchObject({
        code: "PRECONDITION_FAILED",
        reason: "oauth_not_configured",
      });
  });
});

describe("tokens that expire", () => {
  /** A person whose tokens at Linear expire now. */
  async function expiring() {
    const ada = await server.signUp("Ada");
    atLinear.state.expiresIn = 1;
    expect((await authorize(ada, "linear")).status).toBe(200);
    atLinear.state.expiresIn = 3600;
    atLinear.state.refreshed = 0;
    return ada;
  }
  const list = ({ client, organizationId }: Person) =>
    client.integration.tracker.listTeams.query({ organizationId });

  it("are renewed once for any number of callers, in two instances", async () => {
    const ada = await expiring();
    const { services, database } = server;
    const second = await start({ ...services, database, host: "127.0.0.1", port: 0 });
    const other = stockClient(second.url, ada.token);
    const { organizationId } = ada;
    const calls = Array.from({ length: 12 }, (_, number) =>
      number % 2 === 0 ? list(ada) : other.integration.tracker.listTeams.query({ organizationId }),
    );
    for (const teams of await Promise.all(calls)) expect(teams).toHaveLength(1);
    expect(atLinear.state.refreshed).toBe(1);
    await second.close();
  });

  it("are renewed when the provider rejects them before they expire", async () => {
    const ada = await server.signUp("Ada");
    await authorize(ada, "linear");
    servers.linear.state.authorization = "Bearer another";
    expect(await list(ada)).toHaveLength(1);
    expect(atLinear.state.refreshed).toBe(1);
  });

  it("that are rejected when just renewed require the account to be connected again", async () => {
    const ada = await server.signUp("Ada");
    await authorize(ada, "linear");
    servers.linear.override = () => ({
      status: 401,
      json: { errors: [{ message: "no", extensions: { type: "authentication error" } }] },
    });
    expect(await failure(list(ada))).toMatchObject({ reason: "reconnect_required" });
    expect(await listOf(ada)).toMatchObject([{ status: "reconnect_required" }]);
    expect(await failure(list(ada))).toMatchObject({ reason: "reconnect_required" });
    expect(atLinear.state.refreshed).toBe(1);
  });

  it("are requested again after an outage, and after the death of the requesting instance", async () => {
    const ada = await expiring();
    atLinear.override = () => ({ status: 503, text: "" });
    expect(await failure(list(ada))).toMatchObject({ code: "BAD_GATEWAY", reason: "provider_unavailable" });
    expect(await listOf(ada)).toMatchObject([{ status: "connected" }]);
    atLinear.override = undefined;
    // The lock that a dead instance has left behind.
    await sql`update integration_connections set refreshing_until = now() - interval '1 second'`.execute(db);
    expect(await list(ada)).toHaveLength(1);
  });

  it("that were withdrawn require the account to be connected again", async () => {
    const ada = await expiring();
    atLinear.state.withdrawn = true;
    const refused = await Promise.all([list(ada), list(ada), list(ada)].map(failure));
    for (const one of refused)
      expect(one).toMatchObject({ code: "PRECONDITION_FAILED", reason: "reconnect_required" });
    const [lost] = await listOf(ada);
    expect(lost).toMatchObject({ status: "reconnect_required" });
    atLinear.state.withdrawn = false;
    expect(await authorize(ada, "linear")).toMatchObject({ id: lost?.id });
    expect(await list(ada)).toHaveLength(1);
  });

  it("are not given up because this service's own secret is wrong", async () => {
    const ada = await expiring();
    atLinear.override = () => ({ status: 401, json: { error: "invalid_client" } });
    expect(await failure(list(ada))).toMatchObject({
      code: "BAD_GATEWAY",
      message: expect.stringContaining("does not know this service's client id and secret"),
    });
    expect(await listOf(ada)).toMatchObject([{ status: "connected" }]);
  });
});
