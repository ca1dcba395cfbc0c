import { createHmac } from "node:crypto";
import { newId } from "@grove/db";
import {
  gitHubToken,
  gitLabToken,
  jiraEmail,
  jiraIssue,
  jiraToken,
  linearIssue,
  linearToken,
  useProviders,
} from "@grove/integrations/testing";
import { integrationNews, taskEvent } from "@grove/schemas";
import webhookExamples from "@octokit/webhooks-examples";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { deleteOutdated } from "../maintenance/retention";
import { start } from "../server";
import { insertDelivery } from "../testing/fixtures";
import { failure, useTestServer } from "../testing/server";
import { watch } from "../testing/watch";
import { takeNext } from "./queue";

const providers = await useProviders();
const { servers } = providers;
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: providers.options,
});
const { db } = server.database;

const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { integration, task } = ada.client;

interface Hook {
  path: string;
  secret: string;
}
let gitHub: Hook;
let gitLab: Hook;
let linear: Hook;
let jira: Hook;

beforeAll(async () => {
  const connect = (provider: "github" | "gitlab" | "linear", token: string) =>
    integration.connect.mutate({ organizationId, provider, token });
  const [atGitHub, atGitLab] = [await connect("github", gitHubToken), await connect("gitlab", gitLabToken)];
  const made = await integration.codehost.createWebhook.mutate({
    organizationId,
    connectionId: atGitHub.id,
    repoOwner: "Codertocat",
    repoName: "Hello-World",
    events: ["*"],
  });
  const config = [...servers.github.state.hooks.values()].at(-1)?.config as { secret: string };
  gitHub = { path: new URL(made.url ?? "").pathname, secret: config.secret };
  const atLab = await integration.codehost.createWebhook.mutate({
    organizationId,
    connectionId: atGitLab.id,
    repoOwner: "gitlabhq",
    repoName: "gitlab-test",
    events: ["*"],
  });
  const lab = [...servers.gitlab.state.hooks.values()].at(-1) as { token: string };
  gitLab = { path: new URL(atLab.url ?? "").pathname, secret: lab.token };
  await connect("linear", linearToken);
  await integration.connect.mutate({
    organizationId,
    provider: "jira",
    token: jiraToken,
    email: jiraEmail,
    baseUrl: servers.jira.url,
  });
  const hookOf = (hooks: Map<string, Record<string, unknown>>): Hook => {
    const { url, secret } = [...hooks.values()].at(-1) as { url: string; secret: string };
    return { path: new URL(url).pathname, secret };
  };
  linear = hookOf(servers.linear.state.webhooks);
  jira = hookOf(servers.jira.state.webhooks);
});

const hmac = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("hex");

const post = async (hook: Hook, body: string, headers: Record<string, string>) => {
  const response = await fetch(`${server.url}${hook.path}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
  const answer = (await response.json()) as { error?: { data: { reason?: string } } };
  return { status: response.status, reason: answer.error?.data.reason };
};

/** Posts a delivery as GitHub does. */
const fromGitHub = (event: string, payload: unknown, headers: Record<string, string> = {}) => {
  const body = JSON.stringify(payload);
  return post(gitHub, body, {
    "user-agent": "GitHub-Hookshot/044aadd",
    "x-github-event": event,
    "x-github-delivery": newId(),
    "x-hub-signature-256": `sha256=${hmac(gitHub.secret, body)}`,
    ...headers,
  });
};

const closed = webhookExamples
  .flatMap(({ examples }) => examples)
  .find((example) => "number" in example && "pull_request" in example && example.action === "closed");

let pulls = 100;

/** GitHub's own example of a closed pull request, changed to another one that was merged just now. */
const mergedPull = (changes: object = {}) => ({
  ...closed,
  pull_request: {
    ...closed?.pull_request,
    number: ++pulls,
    merged: true,
    merged_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
    html_url: `https://github.com/Codertocat/Hello-World/pull/${newId()}`,
    ...changes,
  },
});

const newTask = (title: string, fields: object = {}) =>
  task.create.mutate({ organizationId, title, ...fields });
const statusOf = async (id: string) => (await task.get.query({ organizationId, id })).statusType;
const events = () => integration.listEvents.query({ organizationId });
const settled = () =>
  expect.poll(async () => (await events()).filter(({ status }) => status === "pending")).toEqual([]);

describe("a delivery", () => {
  it("is stored, answered, processed and announced", async () => {
    const watcher = watch((handlers) => integration.onEvent.subscribe({ organizationId }, handlers));
    await watcher.ready();
    const ping = webhookExamples.find(({ name }) => name === "ping")?.examples[0];
    expect(await fromGitHub("ping", ping)).toEqual({ status: 202, reason: undefined });
    const { data } = await watcher.event((news) => {
      const parsed = integrationNews.parse(news);
      return parsed.type === "event" && parsed.event.status === "processed";
    });
    const [event] = await events();
    expect(data).toEqual({ type: "event", event });
    expect(event).toMatchObject({ provider: "github", type: "ping", repo: "Octocoders/Hello-World" });
    watcher.stop();
  });

  it("is refused with a wrong signature, none, or one of other bytes", async () => {
    const before = await events();
    const body = JSON.stringify(mergedPull());
    const good = `sha256=${hmac(gitHub.secret, body)}`;
    for (const signature of [
      "",
      "sha256=",
      good.slice(0, -1),
      `${good}0`,
      `sha256=${hmac("other", body)}`,
      `sha1=${good}`,
    ])
      expect(
        await post(gitHub, body, { "x-github-event": "pull_request", "x-hub-signature-256": signature }),
      ).toEqual({ status: 401, reason: "unverified_delivery" });
    const respaced = JSON.stringify(JSON.parse(body), null, 1);
    expect(
      await post(gitHub, respaced, { "x-github-event": "pull_request", "x-hub-signature-256": good }),
    ).toMatchObject({ status: 401 });
    expect(await events()).toEqual(before);
  });

  it("is accepted once, by its id and by its content", async () => {
    const pull = mergedPull();
    const delivery = { "x-github-delivery": newId() };
    const before = (await events()).length;
    expect(await fromGitHub("pull_request", pull, delivery)).toMatchObject({ status: 202 });
    expect(await fromGitHub("pull_request", pull, delivery)).toMatchObject({ status: 202 });
    // The id is not signed.
    expect(await fromGitHub("pull_request", pull, { "x-github-delivery": newId() })).toMatchObject({
      status: 202,
    });
    expect((await events()).length).toBe(before + 1);
  });

  it("is refused when it was sent days ago", async () => {
    const old = mergedPull({ updated_at: new Date(Date.now() - 4 * 86_400_000).toISOString() });
    expect(await fromGitHub("pull_request", old)).toEqual({ status: 401, reason: "unverified_delivery" });
  });

  it("is refused beyond 25 MiB, or in another format", async () => {
    expect(await fromGitHub("push", { pad: "x".repeat(25 * 1024 * 1024) })).toMatchObject({ status: 413 });
    for (const body of ["", "{", "[]", '"text"', '{"repository": 7}']) {
      const signature = `sha256=${hmac(gitHub.secret, body)}`;
      expect(await post(gitHub, body, { "x-hub-signature-256": signature })).toMatchObject({ status: 400 });
    }
  });

  it("must be for a webhook of ours", async () => {
    for (const path of [`/api/webhooks/${newId()}`, "/api/webhooks/x", "/api/webhooks/%00"])
      expect(await post({ ...gitHub, path }, "{}", {})).toMatchObject({ status: 404 });
  });

  it("may contain anything that JSON can", async () => {
    const before = (await events()).length;
    const body = '{"action":"o\\u0000dd","repository":{"full_name":"a\\ud800/b"}}';
    const signature = `sha256=${hmac(gitHub.secret, body)}`;
    const headers = {
      "x-github-event": "label",
      "x-github-delivery": newId(),
      "x-hub-signature-256": signature,
    };
    expect(await post(gitHub, body, headers)).toMatchObject({ status: 202 });
    const [event, ...rest] = await events();
    expect(rest).toHaveLength(before);
    expect(event).toMatchObject({ type: "label.o dd", repo: "a\ufffd/b" });
    await settled();
  });
});

describe("a merged pull request", () => {
  it("completes the tasks that it names, announced by task.watch", async () => {
    const watcher = watch((handlers) => task.watch.subscribe({ organizationId }, handlers));
    await watcher.ready();
    const slug = await newTask("Fix the login page");
    const id = await newTask("By id");
    const other = await newTask("Not meant");
    const body = `Closes task ${slug.slug}. This resolves task: ${id.id}, and fixes ${other.slug}.`;
    const pull = mergedPull({ body });
    await fromGitHub("pull_request", pull);
    for (const { id: wanted } of [slug, id])
      await watcher.event((news) => {
        const event = taskEvent.parse(news);
        return event.type === "updated" && event.task.id === wanted && event.task.statusType === "completed";
      });
    watcher.stop();
    expect(await task.get.query({ organizationId, id: slug.id })).toMatchObject({
      status: "done",
      prUrl: pull.pull_request.html_url,
      completedAt: expect.any(String),
    });
    expect(await statusOf(other.id)).toBe("backlog");
  });

  it("leaves only a web page's address on a task", async () => {
    const { id, slug } = await newTask("Merged from an odd place");
    const pull = mergedPull({ body: `Closes task ${slug}.`, html_url: "javascript:alert(1)" });
    await fromGitHub("pull_request", pull);
    await settled();
    expect(await task.get.query({ organizationId, id })).toMatchObject({ status: "done", prUrl: null });
  });

  it("completes the task of its branch, in the task's own repository, never for a fork's", async () => {
    const project = (repoName: string) =>
      ada.client.project.create.mutate({
        organizationId,
        name: repoName,
        slug: repoName.toLowerCase(),
        repoOwner: "Codertocat",
        repoName,
        repoUrl: `https://github.com/Codertocat/${repoName}`,
      });
    const [hello, goodbye] = [await project("hello-world"), await project("goodbye-world")];
    const branch = `grove/${newId()}`;
    const here = await newTask("Here", { projectId: hello.id });
    const there = await newTask("There", { projectId: goodbye.id });
    const free = await newTask("Free");
    for (const { id } of [here, there, free]) await task.update.mutate({ organizationId, id, branch });
    const statuses = () => Promise.all([here, there, free].map(({ id }) => statusOf(id)));
    const head = { ...closed?.pull_request.head, ref: branch };
    const fork = { ...head.repo, id: 1, full_name: "someone/Hello-World", fork: true };
    for (const repo of [fork, null])
      await fromGitHub("pull_request", mergedPull({ body: null, head: { ...head, repo } }));
    await settled();
    expect(await statuses()).toEqual(["backlog", "backlog", "backlog"]);
    await fromGitHub("pull_request", mergedPull({ body: null, head }));
    await settled();
    expect(await statuses()).toEqual(["completed", "backlog", "completed"]);
  });

  it("leaves alone canceled tasks, unmerged requests and other organizations' tasks", async () => {
    const canceled = await newTask("Canceled", { status: "canceled" });
    const open = await newTask("Open");
    const bob = await server.signUp("Bob");
    const bobs = await bob.client.task.create.mutate({
      organizationId: bob.organizationId,
      title: "Bobs own",
    });
    const body = [canceled, open, bobs].map(({ id }) => `closes task ${id}`).join("\n");
    await fromGitHub("pull_request", mergedPull({ body, merged: false }));
    await fromGitHub("pull_request", mergedPull({ body: body.replace(open.id, newId()) }));
    await settled();
    expect(await statusOf(canceled.id)).toBe("canceled");
    expect(await statusOf(open.id)).toBe("backlog");
    const ofBob = await bob.client.task.get.query({ organizationId: bob.organizationId, id: bobs.id });
    expect(ofBob.statusType).toBe("backlog");
  });

  it("works with GitLab, too", async () => {
    const { id, slug } = await newTask("At GitLab");
    const byBranch = await newTask("By branch");
    await task.update.mutate({ organizationId, id: byBranch.id, branch: "ms-viewport" });
    /** The example of docs.gitlab.com/user/project/integrations/webhook_events, merged just now. */
    const merged = (changes: object) =>
      JSON.stringify({
        object_kind: "merge_request",
        event_type: "merge_request",
        user: { id: 1, name: "Administrator", username: "root" },
        project: { id: 1, name: "Gitlab Test", path_with_namespace: "gitlabhq/gitlab-test" },
        object_attributes: {
          id: 99,
          iid: 1,
          target_branch: "master",
          source_branch: "ms-viewport",
          source_project_id: 14,
          target_project_id: 14,
          title: "MS-Viewport",
          description: "",
          state: "merged",
          action: "merge",
          url: "http://example.com/diaspora/merge_requests/1",
          updated_at: new Date().toISOString().replace("T", " ").replace(/\..*/, " UTC"),
          ...changes,
        },
      });
    const deliver = (body: string, token: string) =>
      post(gitLab, body, {
        "x-gitlab-event": "Merge Request Hook",
        "idempotency-key": newId(),
        "x-gitlab-token": token,
      });
    const fork = { source_project_id: 15, title: `Closes task ${slug}` };
    expect(await deliver(merged(fork), "guess")).toMatchObject({ status: 401 });
    expect(await deliver(merged(fork), gitLab.secret)).toMatchObject({ status: 202 });
    await settled();
    expect(await statusOf(id)).toBe("completed");
    expect((await events())[0]).toMatchObject({ type: "merge_request.merge", repo: "gitlabhq/gitlab-test" });
    expect(await statusOf(byBranch.id)).toBe("backlog");
    expect(await deliver(merged({ iid: 2 }), gitLab.secret)).toMatchObject({ status: 202 });
    await settled();
    expect(await statusOf(byBranch.id)).toBe("completed");
  });
});

describe("an issue changed at the tracker", () => {
  const connectionOf = async (provider: string) =>
    (await integration.list.query({ organizationId })).find((one) => one.provider === provider)?.id;

  /** Posts a delivery as Linear does. */
  const fromLinear = (data: object, sentAt = Date.now()) => {
    const body = JSON.stringify({
      action: "update",
      actor: { id: "b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba", type: "user", name: "Ada" },
      createdAt: new Date(sentAt).toISOString(),
      data,
      updatedFrom: { priority: 0 },
      type: "Issue",
      organizationId: newId(),
      webhookId: newId(),
      webhookTimestamp: sentAt,
    });
    return post(linear, body, {
      "linear-delivery": newId(),
      "linear-event": "Issue",
      "linear-signature": hmac(linear.secret, body),
    });
  };

  it("changes the task that was made from it, even if it arrives before the import", async () => {
    const connectionId = await connectionOf("linear");
    const importing = { organizationId, connectionId, issueId: "LIN-1" };
    const [first, second] = await Promise.all([
      integration.tracker.importIssue.mutate(importing),
      integration.tracker.importIssue.mutate({ ...importing, issueId: linearIssue(1).id }),
    ]);
    expect(second).toEqual(first);
    expect(first).toMatchObject({
      title: "Issue 1",
      description: "A *description*",
      status: "in_progress",
      priority: "high",
      externalUrl: linearIssue(1).url,
    });
    const updatedAt = "2026-11-21T10:00:00.000Z";
    const changed = {
      ...linearIssue(1),
      title: "New\ntitle",
      state: { name: "Shipped", type: "completed" },
      updatedAt,
    };
    expect(await fromLinear(changed)).toMatchObject({ status: 202 });
    await settled();
    const now = await task.get.query({ organizationId, id: first.id });
    expect(now).toMatchObject({ title: "New title", status: "done", completedAt: expect.any(String) });
    // A delivery that was overtaken on its way.
    await fromLinear({ ...linearIssue(1), title: "Older", updatedAt: "2026-11-21T09:59:00.000Z" });
    await settled();
    expect(await task.get.query({ organizationId, id: first.id })).toEqual(now);
    await task.delete.mutate({ organizationId, id: first.id });
    const anew = await integration.tracker.importIssue.mutate(importing);
    expect(anew.id).not.toBe(first.id);
  });

  it("keeps the status that was chosen here while its type is the same", async () => {
    const connectionId = await connectionOf("linear");
    const { id } = await integration.tracker.importIssue.mutate({
      organizationId,
      connectionId,
      issueId: "LIN-2",
    });
    await task.update.mutate({ organizationId, id, status: "in_review" });
    await fromLinear({ ...linearIssue(2), priority: 1, updatedAt: "2026-11-21T10:00:00.000Z" });
    await settled();
    expect(await task.get.query({ organizationId, id })).toMatchObject({
      status: "in_review",
      priority: "urgent",
    });
  });

  it("is refused minutes later, and ignored by an organization that has not imported it", async () => {
    expect(await fromLinear(linearIssue(0), Date.now() - 6 * 60_000)).toEqual({
      status: 401,
      reason: "unverified_delivery",
    });
    const before = await task.list.query({ organizationId });
    expect(await fromLinear(linearIssue(0))).toMatchObject({ status: 202 });
    await settled();
    expect(await task.list.query({ organizationId })).toEqual(before);
  });

  it("works with Jira, too", async () => {
    const connectionId = await connectionOf("jira");
    const imported = await integration.tracker.importIssue.mutate({
      organizationId,
      connectionId,
      issueId: "10001",
    });
    expect(imported).toMatchObject({
      title: "Issue 1",
      priority: "urgent",
      externalUrl: `${servers.jira.url}/browse/ED-1`,
    });
    const issue = jiraIssue(1, "https://acme.atlassian.net");
    const status = { name: "Done", id: "10001", statusCategory: { id: 3, key: "done", name: "Done" } };
    const fields = { ...issue.fields, status, updated: "2026-11-21T11:00:00.000+0100" };
    const body = JSON.stringify({
      timestamp: Date.now(),
      webhookEvent: "jira:issue_updated",
      issue_event_type_name: "issue_generic",
      user: { accountId: "5b10a2844c20165700ede21g", displayName: "Mia Krystof" },
      issue: { ...issue, fields },
      changelog: { id: "10124", items: [{ field: "status", fromString: "In Progress", toString: "Done" }] },
    });
    expect(
      await post(jira, body, {
        "x-atlassian-webhook-identifier": newId(),
        "x-hub-signature": `sha256=${hmac(jira.secret, body)}`,
      }),
    ).toMatchObject({ status: 202 });
    await settled();
    expect(await statusOf(imported.id)).toBe("completed");
  });
});

describe("a delivery that cannot be processed", () => {
  it("is dead when it cannot be read, and replayed by an admin", async () => {
    const named = await newTask("Replayed");
    const broken = mergedPull({ body: `closes task ${named.id}`, head: {} });
    await fromGitHub("pull_request", broken);
    await settled();
    const [dead] = await events();
    expect(dead).toMatchObject({ type: "pull_request.closed", status: "dead" });
    const id = dead?.id ?? "";
    await db
      .updateTable("integration_events")
      .set({ payload: JSON.stringify(mergedPull({ body: `closes task ${named.id}` })) })
      .where("id", "=", id)
      .execute();
    expect(await integration.replayEvent.mutate({ organizationId, id })).toMatchObject({ status: "pending" });
    await settled();
    expect(await statusOf(named.id)).toBe("completed");
    const again = integration.replayEvent.mutate({ organizationId, id });
    expect(await failure(again)).toMatchObject({ code: "PRECONDITION_FAILED", reason: "event_not_dead" });
  });

  it("is tried again later and finally given up, and nothing is half done", async () => {
    const [first, second] = [await newTask("First"), await newTask("Second")];
    await sql`alter table tasks add constraint never check (title <> 'Second' or status = 'backlog')`.execute(
      db,
    );
    const attempts = async (id: string) => {
      const row = await db
        .selectFrom("integration_events")
        .select(["attempts", "status"])
        .select(sql<boolean>`run_at > now()`.as("later"))
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return row;
    };
    try {
      await fromGitHub(
        "pull_request",
        mergedPull({ body: `closes task ${first.id} closes task ${second.id}` }),
      );
      const [event] = await events();
      const id = event?.id ?? "";
      // Once, or twice on a machine that was too busy to check in between.
      await expect.poll(() => attempts(id)).toMatchObject({ status: "pending", later: true });
      expect(await statusOf(first.id)).toBe("backlog");
      await sql`update integration_events set attempts = 7, run_at = now() where id = ${id}`.execute(db);
      await sql`select pg_notify('integration_event', ${id})`.execute(db);
      await expect.poll(() => attempts(id)).toMatchObject({ attempts: 8, status: "dead" });
      await sql`alter table tasks drop constraint never`.execute(db);
      await integration.replayEvent.mutate({ organizationId, id });
      await settled();
      expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(["completed", "completed"]);
    } finally {
      await sql`alter table tasks drop constraint if exists never`.execute(db);
    }
  });
});

describe("in two instances", () => {
  it("each delivery is processed by one instance", async () => {
    const { services, database } = server;
    const second = await start({ ...services, database, host: "127.0.0.1", port: 0 });
    const watcher = watch((handlers) => integration.onEvent.subscribe({ organizationId }, handlers));
    await watcher.ready();
    const labels = Array.from({ length: 30 }, (_, number) => ({ action: "created", label: { id: number } }));
    await Promise.all(labels.map((label) => fromGitHub("label", label)));
    await settled();
    const last = (await events())[0];
    await watcher.event((news) => {
      const parsed = integrationNews.parse(news);
      return parsed.type === "event" && parsed.event.id === last?.id && parsed.event.status === "processed";
    });
    await second.close();
    watcher.stop();
    const received = watcher.events.flatMap(({ data }) => {
      const news = integrationNews.parse(data);
      return news.type === "event" ? [`${news.event.id} ${news.event.status}`] : [];
    });
    expect(received).toHaveLength(60);
    expect(new Set(received).size).toBe(60);
  });

  it("a dead instance's deliveries are processed by the next that starts", async () => {
    await insertDelivery(server, organizationId);
    const { services, database } = server;
    const next = await start({ ...services, database, host: "127.0.0.1", port: 0 });
    await settled();
    await next.close();
  });
});

it("deliveries are kept for 30 days, and listed in pages", async () => {
  const all = await events();
  const page = await integration.listEvents.query({ organizationId, limit: 2 });
  expect(page).toEqual(all.slice(0, 2));
  const next = await integration.listEvents.query({ organizationId, limit: 2, after: page[1]?.id });
  expect(next).toEqual(all.slice(2, 4));
  const oldest = all.at(-1)?.id ?? "";
  await sql`update integration_events set created_at = now() - interval '31 days' where id = ${oldest}`.execute(
    db,
  );
  await deleteOutdated(db);
  expect(await events()).toEqual(all.slice(0, -1));
});

it("organizations take turns, even if one has many deliveries", async () => {
  const bob = await server.signUp("Bob");
  const carol = await server.signUp("Carol");
  const order: string[] = [];
  const turns = new Map([
    [bob.organizationId, "Bob"],
    [carol.organizationId, "Carol"],
  ]);
  for (let n = 0; n < 3; n++) await insertDelivery(server, bob.organizationId);
  await insertDelivery(server, carol.organizationId);
  const served = new Set<string>();
  for (
    let taken = await takeNext(server.services, served);
    taken;
    taken = await takeNext(server.services, served)
  )
    order.push(turns.get(taken) ?? "somebody");
  expect(order.filter((name) => name !== "somebody")).toEqual(["Bob", "Carol", "Bob", "Bob"]);
});
