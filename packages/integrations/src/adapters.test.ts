import { generateKeyPairSync } from "node:crypto";
import { channel, issue, message, pullRequest, repo, team } from "@grove/schemas";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Access, Integrations } from "./integrations";
import type { Codehost, Messenger, Tracker } from "./ports";
import {
  gitHubRepo,
  gitHubToken,
  jiraToken,
  linearIssue,
  linearTeam,
  linearToken,
  useProviders,
} from "./testing";

const { servers, options, access } = await useProviders();
const integrations = new Integrations(options);
afterAll(() => integrations.close());

const codehost = <T>(at: Access, use: (port: Codehost) => Promise<T>) =>
  integrations.call("codehost", at, use);
const tracker = <T>(at: Access, use: (port: Tracker) => Promise<T>) => integrations.call("tracker", at, use);
const messenger = <T>(at: Access, use: (port: Messenger) => Promise<T>) =>
  integrations.call("messenger", at, use);

const target = { url: "https://grove.example.com/api/webhooks/1", secret: "It's a Secret to Everybody" };

describe("an account's scopes", () => {
  it.each([
    ["github", ["repo", "admin:repo_hook", "read:user"]],
    ["gitlab", ["api"]],
    ["slack", ["chat:write", "channels:read", "groups:read"]],
    ["linear", undefined],
    ["jira", undefined],
    ["discord", undefined],
  ] as const)("are as %s states them", async (provider, scopes) => {
    expect((await integrations.account(access[provider])).scopes).toEqual(scopes);
  });

  // A token with no scope at all and GitHub's tokens with permissions of another kind answer alike.
  it.each<Record<string, string>>([{}, { "x-oauth-scopes": "" }])(
    "are unknown at GitHub with the headers %o",
    async (headers) => {
      servers.github.override = () => ({ headers, json: { login: "octocat", id: 1, type: "User" } });
      expect(await integrations.account(access.github)).toEqual({ id: "1", name: "octocat" });
      servers.github.override = undefined;
    },
  );

  it.each([401, 403, 404])("are unknown of a GitLab token that may not read itself: %i", async (status) => {
    servers.gitlab.override = ({ path }) => (path.endsWith("/self") ? { status, json: {} } : undefined);
    expect(await integrations.account(access.gitlab)).toEqual({ id: "1", name: "john_smith" });
    servers.gitlab.override = undefined;
  });

  it("are limited in number and length", async () => {
    const header = ["a".repeat(101), ...Array.from({ length: 300 }, (_, number) => `s${number}`)];
    servers.slack.override = () => ({
      headers: { "x-oauth-scopes": header.join(",") },
      json: { ok: true, team: "Team", team_id: "T1" },
    });
    expect((await integrations.account(access.slack)).scopes).toEqual(header.slice(1, 201));
    servers.slack.override = undefined;
  });
});

describe("github", () => {
  it("lists repositories of all pages", async () => {
    servers.github.state.repos = Array.from({ length: 230 }, (_, number) => gitHubRepo(number));
    const repos = await codehost(access.github, (port) => port.listRepos());
    expect(z.array(repo.strict()).parse(repos)).toHaveLength(230);
    expect(repos[1]).toMatchObject({
      id: "1296270",
      owner: "octocat",
      name: "Hello-World-1",
      fullName: "octocat/Hello-World-1",
      defaultBranch: "master",
      private: true,
      updatedAt: "2011-01-25T23:59:00.000Z",
    });
  });

  it("stops at a thousand", async () => {
    servers.github.state.repos = Array.from({ length: 1300 }, (_, number) => gitHubRepo(number));
    servers.github.received = [];
    expect(await codehost(access.github, (port) => port.listRepos())).toHaveLength(1000);
    expect(servers.github.received).toHaveLength(10);
    servers.github.state.repos = [gitHubRepo(0)];
  });

  it.each([
    [undefined, [1347, 1348]],
    ["open", [1348]],
    ["merged", [1347]],
    ["closed", []],
  ] as const)("lists pull requests that are %s", async (state, numbers) => {
    const pulls = await codehost(access.github, (port) =>
      port.listPullRequests({ owner: "octocat", name: "Hello-World" }, state),
    );
    expect(
      z
        .array(pullRequest.strict())
        .parse(pulls)
        .map(({ number }) => number),
    ).toEqual(numbers);
  });

  it("makes a webhook with the secret, and deletes it", async () => {
    const hello = { owner: "octocat", name: "Hello-World" };
    const id = await codehost(access.github, (port) =>
      port.createWebhook(hello, { ...target, events: ["pull_request"] }),
    );
    expect([...servers.github.state.hooks.values()]).toEqual([
      {
        name: "web",
        active: true,
        events: ["pull_request"],
        config: { ...target, content_type: "json", insecure_ssl: "0" },
      },
    ]);
    await codehost(access.github, (port) => port.deleteWebhook(hello, id));
    expect(servers.github.state.hooks.size).toBe(0);
  });

  it("waits until its primary and secondary limits end", async () => {
    const reset = `${Math.ceil(Date.now() / 1000) + 1000}`;
    servers.github.override = () => ({
      status: 403,
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
      json: { message: "API rate limit exceeded for user ID 1." },
    });
    const error = await integrations.account(access.github).catch((thrown) => thrown);
    expect(error).toMatchObject({ failure: "rate_limited" });
    expect(error.retryAfterSeconds).toBeGreaterThan(900);
    servers.github.override = () => ({ status: 403, headers: { "retry-after": "77" }, json: {} });
    expect(await integrations.account(access.github).catch((thrown) => thrown)).toMatchObject({
      failure: "rate_limited",
      retryAfterSeconds: 77,
    });
    servers.github.override = undefined;
  });

  it("follows a repository that was renamed", async () => {
    servers.github.override = ({ path }) =>
      path === "/repos/octocat/Old/pulls"
        ? { status: 301, headers: { location: "/repos/octocat/Hello-World/pulls?state=all" }, json: {} }
        : undefined;
    const pulls = await codehost(access.github, (port) =>
      port.listPullRequests({ owner: "octocat", name: "Old" }),
    );
    expect(pulls).toHaveLength(2);
    servers.github.override = undefined;
  });

  it("accepts an app's installation on an Enterprise server", async () => {
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const app: Access = {
      provider: "github",
      credentials: { type: "app", appId: "7", installationId: "42", privateKey },
      baseUrl: servers.github.url,
    };
    expect(await integrations.account(app)).toEqual({
      id: "9919",
      name: "github",
      scopes: ["issues:write", "contents:read"],
    });
    servers.github.received = [];
    expect(await codehost(app, (port) => port.listRepos())).toHaveLength(1);
    expect(servers.github.received.map(({ path }) => path)).toEqual([
      "/api/v3/app/installations/42/access_tokens",
      "/api/v3/installation/repositories",
    ]);
    expect(servers.github.received[1]?.headers.authorization).toBe(`token ${gitHubToken}`);
  });
});

describe("gitlab", () => {
  const client = { owner: "diaspora/clients", name: "diaspora-client" };

  it("lists projects of all pages", async () => {
    const repos = await codehost(access.gitlab, (port) => port.listRepos());
    expect(z.array(repo.strict()).parse(repos)).toHaveLength(3);
    expect(repos[0]).toMatchObject({ owner: "diaspora/clients", name: "diaspora-client-0", private: true });
    expect(servers.gitlab.received.at(-1)?.query.get("membership")).toBe("true");
  });

  it("lists merge requests", async () => {
    const list = (state?: "open" | "merged") =>
      codehost(access.gitlab, (port) => port.listPullRequests(client, state));
    expect(z.array(pullRequest.strict()).parse(await list("merged"))).toMatchObject([
      { number: 1, state: "merged", author: "admin", headBranch: "test1", baseBranch: "main" },
    ]);
    expect(await list("open")).toEqual([]);
    expect(servers.gitlab.received.at(-1)?.query.get("state")).toBe("opened");
  });

  it("makes a webhook for the events that code hosts share, and deletes it", async () => {
    const id = await codehost(access.gitlab, (port) =>
      port.createWebhook(client, { ...target, events: ["pull_request"] }),
    );
    expect([...servers.gitlab.state.hooks.values()]).toMatchObject([
      { url: target.url, token: target.secret, merge_requests_events: true, push_events: false },
    ]);
    await codehost(access.gitlab, (port) => port.deleteWebhook(client, id));
    expect(servers.gitlab.state.hooks.size).toBe(0);
    // Every object has a "constructor".
    for (const event of ["star", "constructor"]) {
      const unknown = codehost(access.gitlab, (port) =>
        port.createWebhook(client, { ...target, events: [event] }),
      );
      await expect(unknown).rejects.toThrow(`refused: it has no event ${event}; its events are push, `);
    }
    expect(servers.gitlab.state.hooks.size).toBe(0);
  });
});

describe("linear", () => {
  // Contract: tracker.listIssues, tracker.listIssues.team
  it("lists issues of all pages, with one request a page", async () => {
    servers.linear.state.issues = Array.from({ length: 230 }, (_, number) => linearIssue(number));
    servers.linear.received = [];
    const issues = await tracker(access.linear, (port) => port.listIssues({ teamId: linearTeam.id }));
    expect(z.array(issue.strict()).parse(issues)).toHaveLength(230);
    expect(servers.linear.received).toHaveLength(3);
    expect(servers.linear.received[0]?.body).toMatchObject({
      variables: { filter: { team: { id: { eq: linearTeam.id } } } },
    });
    expect(issues[7]).toMatchObject({
      key: "LIN-7",
      state: "In Progress",
      stateType: "started",
      priority: "high",
      assigneeName: "Ada Lovelace",
    });
  });

  it("finds an issue by its key, and reports when there is none", async () => {
    const get = (id: string) => tracker(access.linear, (port) => port.getIssue(id));
    expect(await get("LIN-2")).toMatchObject({ title: "Issue 2" });
    await expect(get("LIN-999")).rejects.toMatchObject({ failure: "not_found" });
  });

  it("lists teams", async () => {
    const teams = await tracker(access.linear, (port) => port.listTeams());
    expect(z.array(team.strict()).parse(teams)).toEqual([linearTeam]);
  });

  it("makes a webhook for issues, and deletes it", async () => {
    const id = await tracker(access.linear, (port) => port.createWebhook(target));
    expect([...servers.linear.state.webhooks.values()]).toMatchObject([
      { ...target, resourceTypes: ["Issue"] },
    ]);
    await tracker(access.linear, (port) => port.deleteWebhook(id));
    expect(servers.linear.state.webhooks.size).toBe(0);
    await expect(tracker(access.linear, (port) => port.deleteWebhook(id))).rejects.toMatchObject({
      failure: "not_found",
    });
  });

  it("reports its limits as GraphQL errors", async () => {
    servers.linear.override = () => ({
      status: 400,
      headers: { "x-ratelimit-requests-reset": `${Date.now() + 100_000}` },
      json: {
        errors: [
          { message: "Rate limit exceeded", extensions: { code: "RATELIMITED", type: "ratelimited" } },
        ],
      },
    });
    const error = await integrations.account(access.linear).catch((thrown) => thrown);
    expect(error).toMatchObject({ failure: "rate_limited" });
    expect(error.retryAfterSeconds).toBeGreaterThan(60);
    servers.linear.override = undefined;
  });

  it("sends an OAuth token as a bearer", async () => {
    servers.linear.state.authorization = "Bearer oauth-token";
    const oauth: Access = { ...access.linear, credentials: { type: "oauth", accessToken: "oauth-token" } };
    expect(await integrations.account(oauth)).toMatchObject({ name: "Acme" });
    servers.linear.state.authorization = linearToken;
  });
});

describe("jira", () => {
  it("lists issues of all pages", async () => {
    const one = servers.jira.state.issues[0];
    servers.jira.state.issues = Array.from({ length: 230 }, () => one);
    servers.jira.received = [];
    const issues = await tracker(access.jira, (port) => port.listIssues({ teamId: "ED" }));
    expect(z.array(issue.strict()).parse(issues)).toHaveLength(230);
    expect(servers.jira.received).toHaveLength(3);
    expect(servers.jira.received[0]?.query.get("jql")).toBe('project = "ED" order by updated desc');
    expect(issues[0]).toMatchObject({
      key: "ED-0",
      state: "In Progress",
      stateType: "started",
      priority: "urgent",
      assigneeName: "Mia Krystof",
      url: `${servers.jira.url}/browse/ED-0`,
      updatedAt: "2026-11-20T09:30:00.000Z",
    });
  });

  it("finds an issue, and reports when there is none", async () => {
    const get = (id: string) => tracker(access.jira, (port) => port.getIssue(id));
    expect(await get("10001")).toMatchObject({ key: "ED-1" });
    await expect(get("ED-999")).rejects.toMatchObject({ failure: "not_found" });
  });

  it("lists projects of all pages", async () => {
    expect(await tracker(access.jira, (port) => port.listTeams())).toEqual([
      { id: "10000", key: "ED", name: "Edison" },
      { id: "10001", key: "MKY", name: "Monkey" },
    ]);
  });

  it("makes a webhook with a secret, and deletes it", async () => {
    const id = await tracker(access.jira, (port) => port.createWebhook(target));
    expect([...servers.jira.state.webhooks.values()]).toMatchObject([
      { ...target, events: ["jira:issue_created", "jira:issue_updated"] },
    ]);
    await tracker(access.jira, (port) => port.deleteWebhook(id));
    expect(servers.jira.state.webhooks.size).toBe(0);
  });

  it("reaches a site through Atlassian's gateway with an OAuth token", async () => {
    const gateway = new Integrations({ ...options, apiUrls: { jira: servers.jira.url } });
    const site = { id: "1324a887-45db-1bf4-1e99-ef0ff456d421", url: "https://acme.atlassian.net" };
    const oauth: Access = {
      provider: "jira",
      credentials: { type: "oauth", accessToken: jiraToken, site },
      baseUrl: null,
    };
    expect(await gateway.account(oauth)).toEqual({ id: site.id, name: "acme.atlassian.net" });
    expect(servers.jira.received.at(-1)?.path).toBe(`/ex/jira/${site.id}/rest/api/2/myself`);
    await gateway.close();
  });
});

describe("slack", () => {
  it("sends a message, and returns where it is", async () => {
    const sent = await messenger(access.slack, (port) => port.sendMessage("C012AB3CD", "Hello"));
    expect(message.strict().parse(sent)).toEqual({
      id: "1503435956.000247",
      channel: "C012AB3CD",
      url: "https://ghostbusters.slack.com/archives/C012AB3CD/p1503435956000247",
      sentAt: "2017-08-22T21:05:56.000Z",
    });
    expect(servers.slack.state.messages).toEqual([{ channel: "C012AB3CD", text: "Hello" }]);
  });

  it("succeeds once the message is sent, with or without its address", async () => {
    servers.slack.override = ({ path }) =>
      path.endsWith("getPermalink") ? { status: 500, text: "" } : undefined;
    expect(await messenger(access.slack, (port) => port.sendMessage("C012AB3CD", "Again"))).toMatchObject({
      url: null,
    });
    servers.slack.override = undefined;
  });

  it.each([
    ["channel_not_found", "not_found"],
    ["not_in_channel", "forbidden"],
    ["token_revoked", "unauthorized"],
    ["msg_too_long", "refused"],
    ["internal_error", "unavailable"],
    ["ratelimited", "rate_limited"],
  ])("reports %s with a 200", async (error, failure) => {
    servers.slack.override = () => ({ json: { ok: false, error } });
    const sending = messenger(access.slack, (port) => port.sendMessage("C1", "Hello"));
    await expect(sending).rejects.toMatchObject({ failure, detail: error });
    servers.slack.override = undefined;
  });

  it("lists channels of all pages", async () => {
    const channels = await messenger(access.slack, (port) => port.listChannels());
    expect(z.array(channel.strict()).parse(channels)).toEqual([
      { id: "C012AB3CD", name: "general", private: false },
      { id: "C061EG9T2", name: "random", private: true },
    ]);
  });
});

describe("discord", () => {
  it("sends a message that notifies only the people it names", async () => {
    const sent = await messenger(access.discord, (port) => port.sendMessage("41771983423143937", "Supa Hot"));
    expect(message.strict().parse(sent)).toEqual({
      id: "334385199974967042",
      channel: "41771983423143937",
      url: null,
      sentAt: "2017-07-11T17:27:07.299Z",
    });
    expect(servers.discord.state.messages).toEqual([
      { content: "Supa Hot", allowed_mentions: { parse: ["users"] } },
    ]);
  });

  it("does not send a message that Discord would refuse", async () => {
    const send = (to: string, text: string) =>
      messenger(access.discord, (port) => port.sendMessage(to, text));
    await expect(send("41771983423143937", "a".repeat(2001))).rejects.toMatchObject({ failure: "refused" });
    await expect(send("C012AB3CD", "Hello")).rejects.toMatchObject({ failure: "not_found" });
    await expect(send("1", "Hello")).rejects.toMatchObject({
      failure: "not_found",
      detail: "Unknown Channel",
    });
  });

  it("lists the text channels of its servers", async () => {
    expect(await messenger(access.discord, (port) => port.listChannels())).toEqual([
      { id: "41771983423143937", name: "1337 Krew / general", private: false },
      { id: "155101607195836416", name: "1337 Krew / staff", private: true },
    ]);
  });
});
