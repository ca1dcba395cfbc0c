import type { MergeMethod } from "@grove/schemas";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type Access, Integrations } from "./integrations";
import type { Codehost } from "./ports";
import { type HostedPull, HostedRepository, useProviders } from "./testing";

const { servers, options, access } = await useProviders();
const integrations = new Integrations(options);
afterAll(() => integrations.close());

const commit = (digit: string) => digit.repeat(40);
const newPull = { title: "Sign in", body: "By hand", head: "work", base: "main", draft: false };
let number = 0;

describe.each(["github", "gitlab"] as const)("%s", (provider) => {
  const at: Access = access[provider];
  const call = <T>(use: (port: Codehost) => Promise<T>) => integrations.call("codehost", at, use);
  let hosted: HostedRepository;
  const repo = () => ({ owner: hosted.owner, name: hosted.name });
  const status = () => call((port) => port.pullStatus(repo(), 1));
  const merge = (head = commit("a"), method: MergeMethod = "merge") =>
    call((port) => port.mergePull(repo(), 1, { head, method }));

  beforeEach(() => {
    number += 1;
    hosted = new HostedRepository("acme", `shop-${number}`);
    hosted.branches.set("work", commit("a"));
    servers[provider].state.hosted.push(hosted);
    servers[provider].override = undefined;
  });

  it("opens a pull request, and finds it", async () => {
    const find = (branches: { head: string; base?: string }) =>
      call((port) => port.findPull(repo(), branches));
    expect(await find({ head: "work" })).toBeUndefined();
    const opened = await call((port) => port.openPull(repo(), newPull));
    expect(opened).toMatchObject({
      kind: "pull_request_changed",
      number: 1,
      title: "Sign in",
      body: "By hand",
      state: "open",
      headBranch: "work",
      baseBranch: "main",
      head: commit("a"),
      mergedAt: null,
      defaultBranch: "main",
      repo: { id: `${hosted.id}`, ...repo() },
    });
    expect(await find({ head: "work", base: "main" })).toEqual(opened);
    expect(await find({ head: "work", base: "release" })).toBeUndefined();
  });

  it("opens a draft", async () => {
    const opened = await call((port) => port.openPull(repo(), { ...newPull, draft: true }));
    expect(opened.state).toBe("draft");
    expect(await status()).toMatchObject({ mergeable: "no", blocks: [{ code: "draft" }] });
  });

  it("makes a draft ready, once", async () => {
    const ready = () => call((port) => port.markReady(repo(), 1));
    await call((port) => port.openPull(repo(), { ...newPull, draft: true }));
    await ready();
    expect(await status()).toMatchObject({ pull: { state: "open", title: "Sign in" }, blocks: [] });
    const before = hosted.pulls[0]?.updatedAt;
    await ready();
    expect(hosted.pulls[0]?.updatedAt).toBe(before);
  });

  it("does not take a fork's branch of the same name for the branch", async () => {
    hosted.open(newPull);
    (hosted.pulls[0] as HostedPull).isFork = true;
    expect(await call((port) => port.findPull(repo(), { head: "work" }))).toBeUndefined();
  });

  it("refuses a second one of the same branches", async () => {
    await call((port) => port.openPull(repo(), newPull));
    const second = call((port) => port.openPull(repo(), newPull));
    await expect(second).rejects.toMatchObject({ failure: "refused" });
    expect(hosted.pulls).toHaveLength(1);
  });

  it("reads checks of all pages, the failed ones first", async () => {
    hosted.open(newPull);
    const passed = Array.from({ length: 230 }, (_, n) => ({
      name: `p${n}`,
      word: "success",
      required: false,
    }));
    const running = provider === "github" ? "in_progress" : "running";
    hosted.checks.set(commit("a"), [
      ...passed,
      { name: "lint", word: running, required: true },
      { name: "optional", word: provider === "github" ? "failure" : "failed", required: false },
      { name: "test", word: provider === "github" ? "failure" : "failed", required: true, kind: "status" },
    ]);
    const { checks, blocks, mergeable } = await status();
    expect(checks).toHaveLength(233);
    expect(checks.slice(0, 4)).toMatchObject([
      { name: "test", state: "failed", required: true, url: "https://ci.example.com/test" },
      { name: "optional", state: "failed", required: false },
      { name: "lint", state: "running", required: true, word: running },
      { state: "passed" },
    ]);
    expect(mergeable).toBe("no");
    expect(blocks.map(({ code }) => code)).toContain("checks_failed");
    expect(await merge()).toMatchObject({ outcome: "refused" });
  });

  it.each([
    [provider === "github" ? "dirty" : "conflict", "conflicts"],
    [provider === "github" ? "behind" : "need_rebase", "behind"],
    ["a_new_word", "provider"],
    ["constructor", "provider"],
  ])("blocks for the word %s as %s", async (word, code) => {
    hosted.open(newPull);
    hosted.word = word;
    const { blocks, mergeable } = await status();
    expect(blocks).toEqual([{ code, detail: word }]);
    expect(mergeable).not.toBe("yes");
  });

  it("blocks for a check whose word it does not know", async () => {
    hosted.open(newPull);
    servers.github.state.newerWords.push("/conclusion");
    hosted.checks.set(commit("a"), [{ name: "deploy", word: "baking", required: false }]);
    const { blocks, checks } = await status();
    expect(checks).toMatchObject([{ name: "deploy", state: "unknown", word: "baking" }]);
    expect(blocks).toContainEqual({ code: "provider", detail: "deploy: baking" });
  });

  it("reports that the code host still checks", async () => {
    hosted.open(newPull);
    hosted.word = provider === "github" ? "unknown" : "checking";
    expect(await status()).toMatchObject({ mergeable: "checking", blocks: [{ code: "checking" }] });
  });

  it("merges by the queue where one is required, exactly the expected commit", async () => {
    hosted.open(newPull);
    hosted.hasQueue = true;
    expect(await status()).toMatchObject({ mergeable: "yes", blocks: [], methods: ["queue"] });
    hosted.branches.set("work", commit("b"));
    expect((await merge(commit("a"), "queue")).outcome).toMatch(/^(head_moved|refused)$/);
    expect(hosted.queue.size).toBe(0);
    expect(await merge(commit("b"), "queue")).toEqual({ outcome: "queued" });
    expect(await status()).toMatchObject({ mergeable: "no", blocks: [{ code: "queued" }] });
    expect(await merge(commit("b"), "queue")).toMatchObject({ outcome: "refused" });
    hosted.mergeQueued();
    expect(await status()).toMatchObject({ mergeable: "no", pull: { state: "merged", head: commit("b") } });
  });

  it("merges exactly the expected commit, with the provider's own words", async () => {
    hosted.open(newPull);
    expect(await status()).toMatchObject({ mergeable: "yes", blocks: [] });
    hosted.branches.set("work", commit("b"));
    expect(await merge()).toEqual({ outcome: "head_moved" });
    expect(hosted.pulls[0]?.state).toBe("open");
    expect(await merge(commit("b"), "squash")).toEqual({ outcome: "merged" });
    const { body } = servers[provider].received.findLast(({ method }) => method === "PUT") ?? {};
    expect(body).toEqual(
      provider === "github"
        ? { sha: commit("b"), merge_method: "squash" }
        : { sha: commit("b"), squash: true },
    );
    expect(await status()).toMatchObject({ mergeable: "no", pull: { state: "merged", head: commit("b") } });
    expect(await merge(commit("b"))).toMatchObject({ outcome: "refused" });
  });

  it("leaves other failures of a merge to the caller", async () => {
    hosted.open(newPull);
    servers[provider].override = ({ method }) => (method === "PUT" ? { status: 403, json: {} } : undefined);
    await expect(merge()).rejects.toMatchObject({ failure: "forbidden" });
    servers[provider].override = undefined;
    servers[provider].isCut = ({ method }) => method === "PUT";
    await expect(merge()).rejects.toMatchObject({ failure: "bad_answer" });
    expect(hosted.pulls[0]?.state).toBe("merged");
    servers[provider].isCut = undefined;
  });
});

describe("github", () => {
  const at = (hosted: HostedRepository) =>
    integrations.call("codehost", access.github, (port) =>
      port.pullStatus({ owner: hosted.owner, name: hosted.name }, 1),
    );
  const make = (name: string) => {
    const hosted = new HostedRepository("acme", name);
    hosted.branches.set("work", commit("a"));
    hosted.open(newPull);
    servers.github.state.hosted.push(hosted);
    servers.github.override = undefined;
    return hosted;
  };

  it("reports why a draft cannot be made ready", async () => {
    const hosted = make("not-ready");
    const ready = () =>
      integrations.call("codehost", access.github, (port) =>
        port.markReady({ owner: "acme", name: "not-ready" }, 1),
      );
    Object.assign(hosted.pulls[0] ?? {}, { draft: true, state: "closed" });
    await expect(ready()).rejects.toMatchObject({ failure: "refused", detail: "Pull request is closed." });
    const errors = [{ type: "FORBIDDEN", message: "Resource not accessible" }];
    servers.github.override = ({ path }) =>
      path === "/graphql" ? { json: { data: { markPullRequestReadyForReview: null }, errors } } : undefined;
    await expect(ready()).rejects.toMatchObject({ failure: "forbidden", detail: "Resource not accessible" });
    servers.github.override = undefined;
  });

  it("blocks a pull request of a stack, whose merge would merge those below it", async () => {
    const hosted = make("stacked");
    Object.assign(hosted.pulls[0] ?? {}, { stack: { position: 2, size: 3 } });
    expect(await at(hosted)).toMatchObject({
      mergeable: "no",
      blocks: [{ code: "stacked", detail: "2 of 3" }],
    });
  });

  it("blocks if the rules cannot be read", async () => {
    const hosted = make("unreadable");
    const denied = { status: 403, json: { message: "Resource not accessible" } };
    servers.github.override = ({ path }) => (path.includes("/rules/") ? denied : undefined);
    expect((await at(hosted)).blocks).toEqual([{ code: "rules_unknown", detail: "Resource not accessible" }]);
    const errors = [{ type: "FORBIDDEN", message: "Resource not accessible" }];
    servers.github.override = ({ path }) =>
      path === "/graphql" ? { json: { data: null, errors } } : undefined;
    expect((await at(hosted)).blocks).toMatchObject([{ code: "rules_unknown" }]);
    servers.github.override = undefined;
  });

  it.each([
    ["REVIEW_REQUIRED", "review_required"],
    ["CHANGES_REQUESTED", "changes_requested"],
    ["PONDERED", "provider"],
  ])("blocks for the review decision %s", async (decision, code) => {
    const hosted = make(`reviewed-${decision}`);
    hosted.reviewDecision = decision;
    hosted.word = "blocked";
    expect((await at(hosted)).blocks).toEqual([{ code, detail: decision }]);
  });

  it("expects a required check that has not begun", async () => {
    const hosted = make("expected");
    hosted.checks.set(commit("f"), [{ name: "test", word: "success", required: true }]);
    expect(await at(hosted)).toMatchObject({
      blocks: [{ code: "checks_running", detail: "test" }],
      checks: [{ name: "test", state: "running", word: "expected", required: true }],
    });
  });
});

it.each(["Draft: Sign in", "[draft] (Draft) Sign in", "DRAFT:Sign in"])(
  "GitLab: makes %j ready",
  async (title) => {
    const hosted = new HostedRepository("acme", title);
    hosted.branches.set("work", commit("a"));
    hosted.open({ ...newPull, title, draft: true });
    servers.gitlab.state.hosted.push(hosted);
    servers.gitlab.override = undefined;
    await integrations.call("codehost", access.gitlab, (port) =>
      port.markReady({ owner: "acme", name: title }, 1),
    );
    expect(hosted.pulls[0]).toMatchObject({ title: "Sign in", draft: false });
  },
);
