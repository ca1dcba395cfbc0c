import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { gzipSync } from "node:zlib";
import { newId } from "@grove/db";
import { gitHubToken, gitLabToken, useProviders } from "@grove/integrations/testing";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { useTestServer } from "../testing/server";

const providers = await useProviders();
const { servers } = providers;
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: providers.options,
});
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { integration, project, task } = ada.client;

interface Hook {
  id: string;
  path: string;
  secret: string;
  connectionId: string;
}
let gitHubConnection: string;
let gitLabConnection: string;

beforeAll(async () => {
  const connect = async (provider: "github" | "gitlab", token: string) =>
    (await integration.connect.mutate({ organizationId, provider, token })).id;
  gitHubConnection = await connect("github", gitHubToken);
  gitLabConnection = await connect("gitlab", gitLabToken);
});

async function newHook(connectionId: string, repoOwner: string, repoName: string): Promise<Hook> {
  const events = ["*"];
  const input = { organizationId, connectionId, repoOwner, repoName, events };
  const made = await integration.codehost.createWebhook.mutate(input);
  const config = [...servers.github.state.hooks.values()].at(-1)?.config as { secret: string };
  const lab = [...servers.gitlab.state.hooks.values()].at(-1) as { token: string } | undefined;
  const secret = connectionId === gitLabConnection ? (lab?.token ?? "") : config.secret;
  return { id: made.id, path: new URL(made.url ?? "").pathname, secret, connectionId };
}

const newProject = (repoOwner: string, repoName: string, defaultBranch = "main") =>
  project.create.mutate({
    organizationId,
    name: repoName,
    slug: `p-${newId()}`,
    repoOwner,
    repoName,
    defaultBranch,
    repoUrl: `https://github.com/${repoOwner}/${repoName}.git`,
  });
const newTask = (projectId?: string) => task.create.mutate({ organizationId, title: "A task", projectId });
const statusOf = async (id: string) => (await task.get.query({ organizationId, id })).statusType;
const settled = () =>
  expect
    .poll(async () => {
      const events = await integration.listEvents.query({ organizationId });
      return events.filter(({ status }) => status === "pending");
    })
    .toEqual([]);

const post = (hook: Hook, body: string | Buffer, headers: Record<string, string>) =>
  fetch(`${server.url}${hook.path}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
const signed = (hook: Hook, body: string | Buffer) =>
  `sha256=${createHmac("sha256", hook.secret).update(body).digest("hex")}`;

async function fromGitHub(hook: Hook, event: string, payload: unknown): Promise<void> {
  const body = JSON.stringify(payload);
  const answer = await post(hook, body, {
    "x-github-event": event,
    "x-github-delivery": newId(),
    "x-hub-signature-256": signed(hook, body),
  });
  expect(answer.status).toBe(202);
  await settled();
}

const repository = (owner: string, name: string) => ({
  name,
  full_name: `${owner}/${name}`,
  owner: { login: owner },
  default_branch: "main",
  html_url: `https://github.com/${owner}/${name}`,
});
interface Pull {
  owner: string;
  name: string;
  base?: string;
  head?: string;
  body?: string;
  number?: number;
}
let pulls = 100;
const merged = ({ owner, name, base = "main", head = "work", body = "", number = ++pulls }: Pull) => ({
  action: "closed",
  number,
  pull_request: {
    number,
    state: "closed",
    draft: false,
    merged: true,
    title: "A change",
    body,
    updated_at: new Date().toISOString(),
    id: newId(),
    html_url: `https://github.com/${owner}/${name}/pull/${number}`,
    head: { ref: head, repo: { id: 1 } },
    base: { ref: base, repo: { id: 1 } },
  },
  repository: repository(owner, name),
});

describe("a merge into another branch than the default one", () => {
  it("completes no task at GitHub, by branch, by text and by address", async () => {
    const hook = await newHook(gitHubConnection, "stack", "shop");
    const { id: projectId } = await newProject("stack", "shop");
    const [byBranch, byText, byUrl, free] = [
      await newTask(projectId),
      await newTask(projectId),
      await newTask(projectId),
      await newTask(),
    ];
    await task.update.mutate({ organizationId, id: byBranch.id, branch: "feature-b" });
    const prUrl = "https://github.com/stack/shop/pull/1";
    await task.update.mutate({ organizationId, id: byUrl.id, prUrl });
    const all = [byBranch, byText, byUrl, free];
    const pull = { owner: "stack", name: "shop", head: "feature-b", number: 1 };
    const body = `Closes task ${byText.slug}, closes task ${free.slug}`;
    for (const base of ["feature-a", "release-1", "Main"])
      await fromGitHub(hook, "pull_request", merged({ ...pull, body, base }));
    expect(await Promise.all(all.map(({ id }) => statusOf(id)))).toEqual(all.map(() => "backlog"));
    await fromGitHub(hook, "pull_request", merged({ ...pull, body }));
    expect(await Promise.all(all.map(({ id }) => statusOf(id)))).toEqual(all.map(() => "completed"));
  });

  it("counts where it is the default of the task's project", async () => {
    const hook = await newHook(gitHubConnection, "stack", "flow");
    const inProject = await newTask((await newProject("stack", "flow", "develop")).id);
    const free = await newTask();
    const body = `Closes task ${inProject.slug}, closes task ${free.slug}`;
    await fromGitHub(hook, "pull_request", merged({ owner: "stack", name: "flow", base: "develop", body }));
    expect([await statusOf(inProject.id), await statusOf(free.id)]).toEqual(["completed", "backlog"]);
  });

  it("completes no task at GitLab, whether or not the delivery names the default", async () => {
    const hook = await newHook(gitLabConnection, "lab/group", "shop");
    const { id, slug } = await newTask();
    const deliver = async (target_branch: string, default_branch?: string) => {
      const body = JSON.stringify({
        object_kind: "merge_request",
        project: { path_with_namespace: "lab/group/shop", default_branch },
        object_attributes: {
          action: "merge",
          state: "merged",
          iid: ++pulls,
          title: `Closes task ${slug}`,
          source_branch: "x",
          target_branch,
          source_project_id: 1,
          target_project_id: 1,
          url: "https://gitlab.com/m/1",
          updated_at: "x",
        },
      });
      const headers = { "x-gitlab-token": hook.secret, "idempotency-key": newId() };
      expect((await post(hook, body, headers)).status).toBe(202);
      await settled();
    };
    await deliver("release-1", "main");
    await deliver("release-1");
    expect(await statusOf(id)).toBe("backlog");
    await deliver("main", "main");
    expect(await statusOf(id)).toBe("completed");
  });
});

describe("a renamed repository", () => {
  it("keeps completing tasks, by the webhook's own repository and not by the delivery's name", async () => {
    const hook = await newHook(gitHubConnection, "acme", "shop");
    const [shop, store] = [await newProject("acme", "shop"), await newProject("acme", "store")];
    const [byBranch, byUrl, others] = [
      await newTask(shop.id),
      await newTask(shop.id),
      await newTask(store.id),
    ];
    for (const { id } of [byBranch, others])
      await task.update.mutate({ organizationId, id, branch: "grove/renamed" });
    const prUrl = "https://github.com/acme/shop/pull/7";
    await task.update.mutate({ organizationId, id: byUrl.id, prUrl });
    const body = `Closes task ${others.slug}`;
    const pull = { owner: "acme", name: "store", head: "grove/renamed", number: 7, body };
    await fromGitHub(hook, "pull_request", merged(pull));
    expect(await Promise.all([byBranch, byUrl, others].map(({ id }) => statusOf(id)))).toEqual([
      "completed",
      "completed",
      "backlog",
    ]);
  });

  it.each([
    ["renamed", { repository: { name: { from: "Old" } } }, { owner: "Moves", name: "New" }],
    ["transferred", { owner: { from: { user: { login: "Moves" } } } }, { owner: "elsewhere", name: "Old" }],
    [
      "transferred",
      { owner: { from: { organization: { login: "Moves" } } } },
      { owner: "organization", name: "Old" },
    ],
  ])("gives its projects, webhooks and pull requests the new name: %s", async (action, changes, to) => {
    const hook = await newHook(gitHubConnection, "moves", "old");
    const [moved, other] = [await newProject("moves", "old"), await newProject("moves", "old-2")];
    const { id } = await newTask(moved.id);
    const prUrl = "https://github.com/moves/old/pull/3";
    await task.update.mutate({ organizationId, id, prUrl });
    await fromGitHub(hook, "repository", { action, changes, repository: repository(to.owner, to.name) });
    const projects = await project.list.query({ organizationId });
    const fullName = `${to.owner}/${to.name}`;
    expect(projects.find((one) => one.id === moved.id)).toMatchObject({
      repoOwner: to.owner,
      repoName: to.name,
      repoUrl: `https://github.com/${fullName}.git`,
    });
    expect(projects.find((one) => one.id === other.id)).toMatchObject({ repoName: "old-2" });
    expect((await task.get.query({ organizationId, id })).prUrl).toBe(
      `https://github.com/${fullName}/pull/3`,
    );
    const hooks = await integration.codehost.listWebhooks.query({ organizationId });
    expect(hooks.find((one) => one.id === hook.id)).toMatchObject({ repoOwner: to.owner, repoName: to.name });
    await fromGitHub(hook, "pull_request", merged({ ...to, number: 3 }));
    expect(await statusOf(id)).toBe("completed");
    await project.delete.mutate({ organizationId, id: moved.id });
  });

  it("does not change for the move of another repository", async () => {
    const hook = await newHook(gitHubConnection, "still", "here");
    const { id } = await newProject("still", "here");
    const changes = { repository: { name: { from: "there" } } };
    await fromGitHub(hook, "repository", {
      action: "renamed",
      changes,
      repository: repository("still", "new"),
    });
    const projects = await project.list.query({ organizationId });
    expect(projects.find((one) => one.id === id)).toMatchObject({ repoName: "here" });
  });
});

describe("a repository that deliveries identify", () => {
  const start = Date.now() - 60_000;
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  const identified = (id: number, owner: string, name: string, updated_at: string) => ({
    ...repository(owner, name),
    id,
    updated_at,
  });
  const namesOf = async (id: string) => {
    const projects = await project.list.query({ organizationId });
    const found = projects.find((one) => one.id === id);
    return `${found?.repoOwner}/${found?.repoName}`;
  };

  it("is followed without a report of its move, and not back to an older name", async () => {
    const hook = await newHook(gitHubConnection, "ids", "shop");
    const { id: projectId } = await newProject("ids", "shop");
    const [first, second, third] = [
      await newTask(projectId),
      await newTask(projectId),
      await newTask(projectId),
    ];
    const prUrl = "https://github.com/ids/shop/pull/3";
    await task.update.mutate({ organizationId, id: third.id, prUrl });
    const deliver = (slug: string, repo: object) => {
      const pull = merged({ owner: "ids", name: "shop", body: `Closes task ${slug}` });
      return fromGitHub(hook, "pull_request", { ...pull, repository: repo });
    };
    await deliver(first.slug, identified(7001, "ids", "shop", at(1)));
    expect(await namesOf(projectId)).toBe("ids/shop");
    await deliver(second.slug, identified(7001, "elsewhere", "store", at(3)));
    expect(await namesOf(projectId)).toBe("elsewhere/store");
    const moved = "https://github.com/elsewhere/store/pull/3";
    expect((await task.get.query({ organizationId, id: third.id })).prUrl).toBe(moved);
    // An older delivery that arrives late.
    await deliver(third.slug, identified(7001, "ids", "shop", at(2)));
    expect(await namesOf(projectId)).toBe("elsewhere/store");
    expect(await Promise.all([first, second, third].map(({ id }) => statusOf(id)))).toEqual(
      Array(3).fill("completed"),
    );
  });

  it("is not the one that took its old name, in another webhook", async () => {
    const [hook, taker] = [
      await newHook(gitHubConnection, "names", "shop"),
      await newHook(gitHubConnection, "names", "shop"),
    ];
    const { id: projectId } = await newProject("names", "shop");
    const [mine, theirs] = [await newTask(projectId), await newTask(projectId)];
    for (const { id } of [mine, theirs])
      await task.update.mutate({ organizationId, id, branch: "same-branch" });
    await fromGitHub(hook, "ping", { hook_id: 1, repository: identified(7002, "names", "shop", at(1)) });
    const pull = merged({ owner: "names", name: "shop", head: "another" });
    await fromGitHub(hook, "pull_request", { ...pull, repository: identified(7002, "names", "old", at(2)) });
    expect(await namesOf(projectId)).toBe("names/old");
    const other = merged({
      owner: "names",
      name: "shop",
      head: "same-branch",
      body: `closes task ${theirs.slug}`,
    });
    await fromGitHub(taker, "pull_request", {
      ...other,
      repository: identified(7003, "names", "shop", at(3)),
    });
    expect([await statusOf(mine.id), await statusOf(theirs.id)]).toEqual(["backlog", "backlog"]);
    expect(await namesOf(projectId)).toBe("names/old");
  });

  it("does not get an older name from a late delivery, if Grove has known no other", async () => {
    const hook = await newHook(gitHubConnection, "late", "shop");
    const { id: projectId } = await newProject("late", "shop");
    const deliver = (name: string, asOf: string) => {
      const pull = merged({ owner: "late", name: "shop", body: "Nothing" });
      return fromGitHub(hook, "pull_request", { ...pull, repository: identified(7008, "late", name, asOf) });
    };
    await deliver("shop", at(5));
    await deliver("former", at(4));
    expect(await namesOf(projectId)).toBe("late/shop");
    await deliver("next", at(6));
    expect(await namesOf(projectId)).toBe("late/next");
  });

  it("is refused if the webhook does not belong to it", async () => {
    const hook = await newHook(gitHubConnection, "own", "shop");
    const { id, slug } = await newTask((await newProject("own", "shop")).id);
    const deliver = (repoId: number, text: string) => {
      const pull = merged({ owner: "own", name: "shop", body: text });
      return fromGitHub(hook, "pull_request", {
        ...pull,
        repository: identified(repoId, "own", "shop", at(1)),
      });
    };
    await deliver(7004, "Nothing");
    await deliver(7005, `Closes task ${slug}`);
    expect(await statusOf(id)).toBe("backlog");
    await deliver(7004, `Closes task ${slug}`);
    expect(await statusOf(id)).toBe("completed");
  });

  it("is not a project of the same name at another host", async () => {
    const hook = await newHook(gitHubConnection, "hosts", "shop");
    const make = (repoUrl: string) =>
      project.create.mutate({
        organizationId,
        name: "shop",
        slug: `p-${newId()}`,
        repoOwner: "hosts",
        repoName: "shop",
        repoUrl,
      });
    const urls = [
      "https://gitlab.example.com/hosts/shop.git",
      "git@notgithub.com:hosts/shop.git",
      "git@github.com:hosts/shop.git",
      "ssh://git@ssh.github.com:443/hosts/shop.git",
      "git@work:hosts/shop.git",
    ];
    const tasks = [];
    for (const url of urls) tasks.push(await newTask((await make(url)).id));
    const body = tasks.map(({ slug }) => `Closes task ${slug}`).join("\n");
    const pull = merged({ owner: "hosts", name: "shop", body });
    await fromGitHub(hook, "pull_request", { ...pull, repository: identified(7006, "hosts", "shop", at(1)) });
    expect(await Promise.all(tasks.map(({ id }) => statusOf(id)))).toEqual([
      ...["backlog", "backlog"],
      ...Array(3).fill("completed"),
    ]);
  });

  it("follows GitLab's projects by their ids, too", async () => {
    const hook = await newHook(gitLabConnection, "lab", "shop");
    const created = await project.create.mutate({
      organizationId,
      name: "shop",
      slug: `p-${newId()}`,
      repoOwner: "lab",
      repoName: "shop",
      repoUrl: "https://gitlab.com/lab/shop.git",
    });
    const { id, slug } = await newTask(created.id);
    const deliver = async (path: string, title: string, updated_at: string) => {
      const body = JSON.stringify({
        object_kind: "merge_request",
        project: {
          id: 7007,
          path_with_namespace: path,
          default_branch: "main",
          web_url: `https://gitlab.com/${path}`,
        },
        object_attributes: {
          action: "merge",
          state: "merged",
          iid: ++pulls,
          title,
          source_branch: "x",
          target_branch: "main",
          updated_at,
          source_project_id: 1,
          target_project_id: 1,
          url: "https://gitlab.com/m/1",
        },
      });
      const headers = { "x-gitlab-token": hook.secret, "idempotency-key": newId() };
      expect((await post(hook, body, headers)).status).toBe(202);
      await settled();
    };
    await deliver("lab/shop", "Nothing", at(1));
    await deliver("group/sub/store", `Closes task ${slug}`, at(2));
    expect(await namesOf(created.id)).toBe("group/sub/store");
    expect(await statusOf(id)).toBe("completed");
  });
});

describe("a project's done branches", () => {
  it("are the only ones whose merges complete its tasks", async () => {
    const hook = await newHook(gitHubConnection, "done", "shop");
    const { id: projectId } = await newProject("done", "shop");
    const changed = await project.update.mutate({
      organizationId,
      id: projectId,
      doneBranches: ["production", "hotfix"],
    });
    expect(changed).toMatchObject({ doneBranches: ["production", "hotfix"], defaultBranch: "main" });
    const { id, slug } = await newTask(projectId);
    const deliver = (base: string) =>
      fromGitHub(
        hook,
        "pull_request",
        merged({ owner: "done", name: "shop", base, body: `Closes task ${slug}` }),
      );
    await deliver("main");
    await deliver("feature-a");
    expect(await statusOf(id)).toBe("backlog");
    await deliver("production");
    expect(await statusOf(id)).toBe("completed");
    const reset = await project.update.mutate({ organizationId, id: projectId, doneBranches: null });
    expect(reset).toMatchObject({ doneBranches: null });
    const next = await newTask(projectId);
    const pull = merged({ owner: "done", name: "shop", body: `Closes task ${next.slug}` });
    await fromGitHub(hook, "pull_request", pull);
    expect(await statusOf(next.id)).toBe("completed");
  });
});

describe("a large delivery", () => {
  const large = (event: string, megabytes: number) => {
    const body = JSON.stringify({ ...repository("big", "shop"), pad: "x".repeat(megabytes * 1024 * 1024) });
    return { event, body };
  };
  const send = (hook: Hook, { event, body }: { event: string; body: string }) =>
    post(hook, body, {
      "x-github-event": event,
      "x-github-delivery": newId(),
      "x-hub-signature-256": signed(hook, body),
    });

  it("is accepted up to 25 MiB, and is not counted if it changes nothing", async () => {
    const hook = await newHook(gitHubConnection, "big", "shop");
    for (const megabytes of [2, 24]) expect((await send(hook, large("push", megabytes))).status).toBe(202);
    await settled();
    const { rows } = await sql<{ longest: string | null }>`
      select max(length(payload)) as longest from integration_events where webhook_id = ${hook.id}`.execute(
      server.database.db,
    );
    expect(rows).toEqual([{ longest: null }]);
    expect((await send(hook, large("push", 25))).status).toBe(413);
  });

  it("has its effect", async () => {
    const hook = await newHook(gitHubConnection, "big", "merge");
    const { id, slug } = await newTask();
    const pull = merged({ owner: "big", name: "merge", body: `Closes task ${slug}` });
    await fromGitHub(hook, "pull_request", { ...pull, pad: "x".repeat(3 * 1024 * 1024) });
    expect(await statusOf(id)).toBe("completed");
  });

  it("gets no place if its webhook is unknown, so that strangers cannot keep others out", async () => {
    const hook = await newHook(gitHubConnection, "big", "strangers");
    const length = 2 * 1024 * 1024;
    for (let n = 0; n < 5; n++) {
      const path = `/api/webhooks/${newId()}`;
      const headers = { "content-type": "application/json", "content-length": length };
      const arriving = request(`${server.url}${path}`, { method: "POST", headers });
      onTestFinished(() => void arriving.destroy());
      arriving.on("error", () => undefined);
      arriving.flushHeaders();
      const [answer] = await once(arriving, "response");
      expect(answer.statusCode).toBe(404);
    }
    expect((await send(hook, large("push", 2))).status).toBe(202);
  });

  it("waits for another one of its webhook to have arrived", async () => {
    const [hook, other] = [
      await newHook(gitHubConnection, "big", "slow"),
      await newHook(gitHubConnection, "big", "other"),
    ];
    let arriving: ClientRequest | undefined;
    const begin = async () => {
      arriving?.destroy();
      arriving = request(`${server.url}${hook.path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-length": 2 * 1024 * 1024,
          expect: "100-continue",
        },
      });
      arriving.on("error", () => undefined);
      arriving.flushHeaders();
      await once(arriving, "continue");
    };
    onTestFinished(() => void arriving?.destroy());
    // A delivery that is sent immediately after it may take the place first.
    const statusBeside = async () => {
      await begin();
      return (await send(hook, large("push", 2))).status;
    };
    await expect.poll(statusBeside).toBe(429);
    expect((await send(hook, large("push", 2))).status).toBe(429);
    expect((await send(other, large("push", 2))).status).toBe(202);
    expect((await send(hook, { event: "ping", body: "{}" })).status).toBe(202);
    arriving?.destroy();
    await expect.poll(async () => (await send(hook, large("push", 2))).status).toBe(202);
  });
});

it("the last delivery of each webhook is listed with its state", async () => {
  const [hook, other] = [
    await newHook(gitHubConnection, "last", "one"),
    await newHook(gitHubConnection, "last", "two"),
  ];
  const lastOf = async ({ id }: Hook) => {
    const hooks = await integration.codehost.listWebhooks.query({ organizationId });
    return hooks.find((one) => one.id === id)?.lastDelivery;
  };
  expect(await lastOf(hook)).toBeNull();
  for (let n = 0; n < 2; n++) await fromGitHub(hook, "pull_request", merged({ owner: "last", name: "one" }));
  const [newest] = await integration.listEvents.query({ organizationId, limit: 1 });
  expect(await lastOf(hook)).toEqual({ receivedAt: newest?.receivedAt, status: "processed" });
  expect(await lastOf(other)).toBeNull();
});

describe("a refused delivery", () => {
  const refusedOf = async ({ id }: Hook) => {
    const hooks = await integration.codehost.listWebhooks.query({ organizationId });
    return hooks.find((one) => one.id === id)?.refused;
  };

  it("is counted at its webhook, with the time and the reason of the last", async () => {
    const [hook, other] = [
      await newHook(gitHubConnection, "lost", "a"),
      await newHook(gitHubConnection, "lost", "b"),
    ];
    expect(await refusedOf(hook)).toBeNull();
    const long = JSON.stringify({ pad: "x".repeat(25 * 1024 * 1024) });
    const zipped = gzipSync("{}");
    const steps: {
      body: string | Buffer;
      headers: Record<string, string>;
      status: number;
      lastReason: string;
    }[] = [
      { body: long, headers: {}, status: 413, lastReason: "too_large" },
      { body: "{}", headers: { "x-hub-signature-256": "sha256=0" }, status: 401, lastReason: "unverified" },
      { body: zipped, headers: { "content-encoding": "gzip" }, status: 415, lastReason: "compressed" },
      { body: "[]", headers: {}, status: 400, lastReason: "malformed" },
    ];
    for (const [index, { body, headers, status, lastReason }] of steps.entries()) {
      const answer = await post(hook, body, { "x-hub-signature-256": signed(hook, body), ...headers });
      expect(answer.status).toBe(status);
      expect(await refusedOf(hook)).toEqual({ count: index + 1, lastAt: expect.any(String), lastReason });
    }
    expect(await refusedOf(other)).toBeNull();
  });

  it("is counted when its length was not declared", async () => {
    const hook = await newHook(gitHubConnection, "lost", "c");
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let n = 0; n < 26; n++) controller.enqueue(new Uint8Array(1024 * 1024));
        controller.close();
      },
    });
    const answer = await fetch(`${server.url}${hook.path}`, { method: "POST", body, duplex: "half" });
    expect(answer.status).toBe(413);
    expect(await refusedOf(hook)).toMatchObject({ count: 1, lastReason: "too_large" });
  });

  it("is counted at most 60 times a minute", async () => {
    const hook = await newHook(gitHubConnection, "lost", "d");
    for (let n = 0; n < 65; n++) expect((await post(hook, "{}", {})).status).toBe(401);
    expect(await refusedOf(hook)).toMatchObject({ count: 60 });
  });
});

it("a compressed body is refused on other paths, too", async () => {
  const answer = await fetch(`${server.url}/api/trpc/task.create`, {
    method: "POST",
    body: gzipSync("{}"),
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
  });
  expect(answer.status).toBe(415);
});
