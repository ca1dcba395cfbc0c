import { useProviders } from "@grove/integrations/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { start } from "../../server";
import { addMember } from "../../testing/fixtures";
import { failure, stockClient, useTestServer } from "../../testing/server";

const providers = await useProviders();
const { servers, access } = providers;
const publicUrl = "https://grove.example.com";
const server = await useTestServer({ publicUrl, integrations: providers.options });
const { db } = server.database;

beforeEach(() => {
  for (const provider of Object.values(servers)) provider.override = undefined;
});

type Name = keyof typeof access;

/** The input for integration.connect to reach a fake. */
const given = (provider: Name) => {
  const { credentials, baseUrl } = access[provider];
  if (credentials.type !== "token") throw new Error("tests connect with tokens");
  const { token, email } = credentials;
  return { provider, token, ...(email && { email }), ...(baseUrl && { baseUrl }) };
};

/** A person whose organization is connected to these. */
async function connected(...names: Name[]) {
  const person = await server.signUp();
  const { organizationId } = person;
  const connections = [];
  for (const name of names)
    connections.push(await person.client.integration.connect.mutate({ organizationId, ...given(name) }));
  return { ...person, connections, integration: person.client.integration };
}

describe("integration.connect", () => {
  it("tries the credentials, stores them encrypted, and never returns them", async () => {
    const { organizationId, integration, connections, client } = await connected("github", "slack");
    expect(connections[0]).toMatchObject({
      kind: "codehost",
      provider: "github",
      accountName: "octocat",
      status: "connected",
      receivesEvents: false,
    });
    expect(await integration.list.query({ organizationId })).toEqual(connections.toReversed());
    const rows = await db.selectFrom("integration_connections").selectAll().execute();
    const audits = await client.organization.listAuditEvents.query({ organizationId });
    expect(audits.filter(({ action }) => action === "integration.connect")).toMatchObject([
      {
        targetId: connections[1]?.id,
        metadata: { provider: "slack", accountName: "Subarachnoid Workspace" },
      },
      { targetId: connections[0]?.id, metadata: { provider: "github", accountName: "octocat" } },
    ]);
    for (const { token } of [given("github"), given("slack")])
      expect(JSON.stringify([rows, audits])).not.toContain(token);
  });

  it("stores what each provider states of the credentials' scopes", async () => {
    const { connections, organizationId, integration } = await connected(
      "github",
      "gitlab",
      "slack",
      "discord",
    );
    const scopes = [
      ["repo", "admin:repo_hook", "read:user"],
      ["api"],
      ["chat:write", "channels:read", "groups:read"],
      null,
    ];
    expect(connections.map((connection) => connection.scopes)).toEqual(scopes);
    const listed = await integration.list.query({ organizationId });
    expect(listed.map((connection) => connection.scopes)).toEqual(scopes.toReversed());
    // The same account by a token whose scopes GitHub does not state.
    servers.github.override = () => ({ json: { login: "octocat", id: 1, type: "User" } });
    expect(await integration.connect.mutate({ organizationId, ...given("github") })).toEqual({
      ...connections[0],
      scopes: null,
    });
    servers.github.override = undefined;
    expect(await integration.connect.mutate({ organizationId, ...given("github") })).toEqual(connections[0]);
  });

  it("renews the connection of the same account", async () => {
    const { organizationId, integration, connections } = await connected("github");
    const again = await integration.connect.mutate({ organizationId, ...given("github") });
    expect(again).toEqual(connections[0]);
    const own = await integration.connect.mutate({
      organizationId,
      ...given("github"),
      baseUrl: servers.github.url,
    });
    expect(own.id).not.toBe(again.id);
  });

  it("stores nothing that the provider does not accept", async () => {
    const { organizationId, integration } = await connected();
    const wrong = integration.connect.mutate({ organizationId, provider: "github", token: "wrong" });
    expect(await failure(wrong)).toMatchObject({ code: "BAD_REQUEST", reason: "credentials_refused" });
    servers.github.override = () => ({ status: 503, text: "" });
    expect(await failure(integration.connect.mutate({ organizationId, ...given("github") }))).toMatchObject({
      code: "BAD_GATEWAY",
      reason: "provider_unavailable",
      message: 'GitHub did not answer as expected ("status 503"). Try again later.',
    });
    expect(await integration.list.query({ organizationId })).toEqual([]);
  });

  it.each([
    [{ provider: "github" }, "GitHub takes token (a personal access token), or app; there is no token."],
    [
      { provider: "jira", token: "a" },
      "Jira takes token (an API token of id.atlassian.com) and email; there is no email.",
    ],
    [
      { provider: "slack", app: { appId: "1", installationId: "1", privateKey: "k" } },
      "Slack takes token (a bot token, xoxb-…); app was given.",
    ],
  ] as const)("names what is missing of %o", async (input, message) => {
    const { organizationId, integration } = await connected();
    const refused = await failure(integration.connect.mutate({ organizationId, ...input }));
    expect(refused).toMatchObject({ code: "BAD_REQUEST", message });
  });

  it.each(["https://169.254.169.254", "https://[::1]", "http://git.example.com", "https://localhost"])(
    "does not connect to %s",
    async (baseUrl) => {
      const { organizationId, integration } = await connected();
      const refused = integration.connect.mutate({ organizationId, ...given("gitlab"), baseUrl });
      expect(await failure(refused)).toMatchObject({ code: "BAD_REQUEST", reason: "base_url_refused" });
    },
  );

  it("creates a webhook for changed issues at trackers that support it", async () => {
    const { connections } = await connected("linear", "jira");
    expect(connections).toMatchObject([{ receivesEvents: true }, { receivesEvents: true }]);
    expect([...servers.linear.state.webhooks.values()].at(-1)).toMatchObject({
      url: expect.stringMatching(/^https:\/\/grove\.example\.com\/api\/webhooks\/[0-9a-f-]{36}$/),
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    servers.linear.override = ({ body }) =>
      JSON.stringify(body).includes("webhookCreate")
        ? { json: { errors: [{ message: "Admins only", extensions: { type: "forbidden" } }] } }
        : undefined;
    expect((await connected("linear")).connections).toMatchObject([
      { status: "connected", receivesEvents: false },
    ]);
  });
});

describe("the connection of a call", () => {
  // Contract: codehost.listRepos, tracker.listIssues, messenger.sendMessage
  it("is the only one of its kind", async () => {
    const { organizationId, integration } = await connected("github", "linear", "slack");
    const repos = await integration.codehost.listRepos.query({ organizationId });
    expect(repos.map(({ fullName }) => fullName)).toContain("octocat/Hello-World-0");
    expect(await integration.tracker.listIssues.query({ organizationId })).toHaveLength(3);
    const sent = await integration.messenger.sendMessage.mutate({
      organizationId,
      channel: "C012AB3CD",
      text: "Hi",
    });
    expect(sent).toMatchObject({ channel: "C012AB3CD", id: "1503435956.000247" });
  });

  it("is missing: the error states where to connect", async () => {
    const { organizationId, integration } = await connected("slack");
    const calls = [
      integration.codehost.listRepos.query({ organizationId }),
      integration.codehost.createWebhook.mutate({
        organizationId,
        repoOwner: "a",
        repoName: "b",
        events: ["push"],
      }),
      integration.tracker.listIssues.query({ organizationId }),
    ];
    for (const refused of await Promise.all(calls.map(failure)))
      expect(refused).toMatchObject({
        code: "PRECONDITION_FAILED",
        reason: "not_connected",
        message: expect.stringContaining("under Integrations"),
      });
  });

  it("must be named if there are several", async () => {
    const { organizationId, integration, connections } = await connected("github", "gitlab");
    const unsaid = await failure(integration.codehost.listRepos.query({ organizationId }));
    expect(unsaid).toMatchObject({ code: "PRECONDITION_FAILED", reason: "several_connections" });
    for (const { id } of connections) expect(unsaid.message).toContain(id);
    const ofGitLab = { organizationId, connectionId: connections[1]?.id };
    expect(await integration.codehost.listRepos.query(ofGitLab)).toMatchObject([
      { owner: "diaspora/clients" },
      {},
      {},
    ]);
    const tracker = { organizationId, connectionId: connections[0]?.id };
    expect(await failure(integration.tracker.listIssues.query(tracker))).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a provider's failure", () => {
  it("is reported with the next step, and with when to retry", async () => {
    const { organizationId, integration } = await connected("github");
    servers.github.override = () => ({ status: 429, headers: { "retry-after": "77" }, json: {} });
    const limited = await failure(integration.codehost.listRepos.query({ organizationId }));
    expect(limited).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      data: { details: { retryAfterSeconds: 77 } },
    });
    servers.github.override = () => ({ text: "<html>" });
    expect(await failure(integration.codehost.listRepos.query({ organizationId }))).toMatchObject({
      code: "BAD_GATEWAY",
      reason: "provider_unavailable",
    });
    servers.github.override = () => ({ status: 403, json: { message: "Resource not accessible by token" } });
    expect(await failure(integration.codehost.listRepos.query({ organizationId }))).toMatchObject({
      code: "FORBIDDEN",
      reason: "provider_forbidden",
    });
  });

  it("because its credentials were withdrawn keeps the connection, until the account is connected again", async () => {
    const { organizationId, integration, connections, client } = await connected("github");
    servers.github.override = () => ({ status: 401, json: { message: "Bad credentials" } });
    const withdrawn = await failure(integration.codehost.listRepos.query({ organizationId }));
    expect(withdrawn).toMatchObject({ code: "PRECONDITION_FAILED", reason: "reconnect_required" });
    expect(await integration.list.query({ organizationId })).toMatchObject([
      { id: connections[0]?.id, status: "reconnect_required" },
    ]);
    servers.github.override = undefined;
    servers.github.received = [];
    expect(await failure(integration.codehost.listRepos.query({ organizationId }))).toMatchObject({
      reason: "reconnect_required",
    });
    expect(servers.github.received).toEqual([]);
    const action = "integration.reconnectRequired";
    expect(await client.organization.listAuditEvents.query({ organizationId, action })).toMatchObject([
      { actorKind: "system", actorId: null, targetId: connections[0]?.id, metadata: { provider: "github" } },
    ]);
    expect(await integration.connect.mutate({ organizationId, ...given("github") })).toEqual(connections[0]);
    expect(await integration.codehost.listRepos.query({ organizationId })).toHaveLength(3);
  });
});

describe("integration.codehost's webhooks", () => {
  const hello = { repoOwner: "octocat", repoName: "Hello-World", events: ["pull_request", "push"] };

  // Contract: codehost.createWebhook
  it("are made with a secret of their own, listed, and removed", async () => {
    const { organizationId, integration, connections } = await connected("github");
    const made = await integration.codehost.createWebhook.mutate({ organizationId, ...hello });
    expect(made).toMatchObject({ ...hello, active: true, url: `${publicUrl}/api/webhooks/${made.id}` });
    const [id, hook] = [...servers.github.state.hooks].at(-1) ?? [];
    expect(hook).toMatchObject({
      events: hello.events,
      config: { url: made.url, secret: expect.stringMatching(/^[0-9a-f]{64}$/), content_type: "json" },
    });
    expect(await integration.codehost.listWebhooks.query({ organizationId })).toEqual([made]);
    expect(await integration.list.query({ organizationId })).toMatchObject([{ receivesEvents: true }]);
    const elsewhere = { organizationId, id: made.id, connectionId: made.id };
    expect(await failure(integration.codehost.deleteWebhook.mutate(elsewhere))).toMatchObject({
      code: "NOT_FOUND",
    });
    const own = { organizationId, id: made.id, connectionId: connections[0]?.id };
    await integration.codehost.deleteWebhook.mutate(own);
    expect(servers.github.state.hooks.has(id ?? 0)).toBe(false);
    expect(await integration.codehost.listWebhooks.query({ organizationId })).toEqual([]);
  });

  it("leave nothing behind that the code host did not make", async () => {
    const { organizationId, integration } = await connected("github");
    const unknown = { organizationId, ...hello, repoName: "Goodbye-World" };
    expect(await failure(integration.codehost.createWebhook.mutate(unknown))).toMatchObject({
      code: "NOT_FOUND",
      reason: "provider_not_found",
    });
    expect(await integration.codehost.listWebhooks.query({ organizationId })).toEqual([]);
  });

  it("are deleted with their connection, even if the code host does not answer", async () => {
    const { organizationId, integration, connections } = await connected("github");
    const [id] = connections.map((connection) => connection.id);
    await integration.codehost.createWebhook.mutate({ organizationId, ...hello });
    const hooks = servers.github.state.hooks.size;
    await integration.disconnect.mutate({ organizationId, id: id ?? "" });
    expect(servers.github.state.hooks.size).toBe(hooks - 1);
    expect(await integration.list.query({ organizationId })).toEqual([]);
    const second = await integration.connect.mutate({ organizationId, ...given("github") });
    await integration.codehost.createWebhook.mutate({ organizationId, ...hello });
    servers.github.override = () => ({ status: 500, text: "" });
    await integration.disconnect.mutate({ organizationId, id: second.id });
    expect(await integration.list.query({ organizationId })).toEqual([]);
    const gone = integration.disconnect.mutate({ organizationId, id: second.id });
    expect(await failure(gone)).toMatchObject({ code: "NOT_FOUND" });
  });

  it("are not listed where no code host is connected", async () => {
    const { organizationId, integration } = await connected("slack");
    expect(await failure(integration.codehost.listWebhooks.query({ organizationId }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      reason: "not_connected",
    });
  });

  it.each([
    { repoOwner: "..", repoName: "user" },
    { repoOwner: "a/../b", repoName: "c" },
    { repoOwner: "a", repoName: "." },
    { repoOwner: "a", repoName: "b/c" },
    { repoOwner: "a?b", repoName: "c" },
  ])("do not accept %o as a repository", async (names) => {
    const { organizationId, integration } = await connected("github");
    const call = integration.codehost.createWebhook.mutate({ organizationId, ...names, events: ["push"] });
    expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST" });
  });
});

it("without a PUBLIC_URL, trackers are connected without a webhook", async () => {
  const { services } = server;
  const config = { ...services.config, publicUrl: undefined };
  const bare = await start({ ...services, database: server.database, config, host: "127.0.0.1", port: 0 });
  const { organizationId, token, integration: withPublicUrl } = await connected("github");
  const { integration } = stockClient(bare.url, token);
  const hello = { organizationId, repoOwner: "octocat", repoName: "Hello-World", events: ["push"] };
  const call = integration.codehost.createWebhook.mutate(hello);
  expect(await failure(call)).toMatchObject({ code: "PRECONDITION_FAILED", reason: "public_url_required" });
  const made = await withPublicUrl.codehost.createWebhook.mutate(hello);
  expect(await integration.codehost.listWebhooks.query({ organizationId })).toEqual([{ ...made, url: null }]);
  expect(await integration.connect.mutate({ organizationId, ...given("linear") })).toMatchObject({
    receivesEvents: false,
  });
  await bare.close();
});

it("a member may use connections, but not make any", async () => {
  const owner = await connected("github", "slack");
  const member = await server.signUp("Bob");
  const { organizationId } = owner;
  await addMember(server, organizationId, member, "member");
  const { integration } = member.client;
  expect(
    await integration.codehost.listPullRequests.query({
      organizationId,
      repoOwner: "octocat",
      repoName: "Hello-World",
      state: "merged",
    }),
  ).toMatchObject([{ number: 1347, state: "merged" }]);
  expect(await integration.messenger.listChannels.query({ organizationId })).toHaveLength(2);
  const call = integration.connect.mutate({ organizationId, ...given("linear") });
  expect(await failure(call)).toMatchObject({ code: "FORBIDDEN", reason: "role_required" });
});
