import { newId } from "@grove/db";
import { HostedRepository, idOfCheck, useProviders } from "@grove/integrations/testing";
import type { ChangeStatus } from "@grove/schemas";
import { seeded } from "@grove/testing/random";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { begin, connectDevice, untilStatus } from "../../testing/device";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const providers = await useProviders();
const server = await useTestServer({ integrations: providers.options });
const commit = (digit: string) => digit.repeat(40);
let number = 0;

/** How often a merge races with a push, and an opening with another program. */
const RACES = Number(process.env.PULL_RACES ?? 10);
const RACES_TIMEOUT = 60_000 + RACES * 2_000;

describe.each(["github", "gitlab"] as const)("%s", async (provider) => {
  const host = providers.servers[provider];
  const ada = await server.signUp(`Ada of ${provider}`);
  const bob = await server.signUp(`Bob of ${provider}`);
  const { organizationId } = ada;
  await addMember(server, organizationId, bob, "member");
  const { change } = ada.client.workspace;
  const { key } = await ada.client.apiKey.create.mutate({
    organizationId,
    name: "agent",
    scopes: ["read", "write"],
  });
  const agent = server.client(key).workspace.change;
  const { credentials } = providers.access[provider];
  if (credentials.type === "token")
    await ada.client.integration.connect.mutate({ organizationId, provider, token: credentials.token });
  /** Where the workspace's branch is, on the machine and at its remote. */
  const machine = { head: commit("a"), remoteHead: commit("a") as string | null };
  const { id: deviceId, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const device = connectDevice(server.url, apiKey, {
    capabilities: ["get_change_status"],
    run: async ({ id }, self) => {
      await begin({ id }, self);
      const result: ChangeStatus = {
        branch: "work",
        base: "main",
        baseCommit: commit("0"),
        forkCommit: commit("0"),
        ...machine,
        tree: commit("c"),
        ahead: 1,
        behind: 0,
        remote: "origin",
        uncommittedFiles: 0,
        conflictsWithBase: [],
        inTheMiddle: null,
        suggestedMessage: "",
      };
      await self.client.agent.complete.mutate({ id, journalId: self.journalId, result });
    },
  });
  afterAll(() => device.disconnect());
  await untilStatus(ada.client, organizationId, deviceId, "online");

  let hosted: HostedRepository;
  let changeId: string;
  let taskId: string;
  let projectId: string;

  beforeEach(async () => {
    number += 1;
    Object.assign(machine, { head: commit("a"), remoteHead: commit("a") });
    Object.assign(host, { override: undefined, isCut: undefined });
    hosted = new HostedRepository("acme", `shop-${number}`);
    hosted.branches.set("work", commit("a"));
    host.state.hosted.push(hosted);
    const fields = {
      ...projectFields(),
      repoOwner: "acme",
      repoName: hosted.name,
      repoUrl: `https://${provider}.com/acme/${hosted.name}.git`,
    };
    ({ id: projectId } = await ada.client.project.create.mutate({ organizationId, ...fields }));
    const task = await ada.client.task.create.mutate({ organizationId, title: "A task", projectId });
    taskId = task.id;
    await ada.client.task.update.mutate({ organizationId, id: taskId, branch: "work" });
    const workspace = {
      id: newId(),
      name: "work",
      type: "worktree" as const,
      config: { branchName: "work" },
    };
    await device.client.workspace.ensure.mutate({ organizationId, project: fields, workspace });
    const [made] = await change.list.query({ organizationId, workspaceId: workspace.id });
    changeId = made?.id ?? "";
  });

  const of = () => ({ organizationId, changeId });
  const open = (by: Pick<typeof agent, "openPull"> = change, fields: object = {}) =>
    by.openPull.mutate({ ...of(), title: "Sign in", body: "By hand", ...fields });
  const approve = (head = commit("a")) => change.approve.mutate({ ...of(), head });
  const merge = (head = commit("a"), method: "merge" | "squash" | "rebase" = "merge") =>
    change.merge.mutate({ ...of(), head, method });
  const read = () => change.get.query({ organizationId, id: changeId });

  it("opens the pull request of the change once, and links it", async () => {
    expect(await change.pullStatus.query(of())).toBeNull();
    const [opened, again] = [await open(agent), await open(agent)];
    expect(opened).toMatchObject({
      number: 1,
      state: "open",
      head: commit("a"),
      base: "main",
      approvals: [],
    });
    expect(again).toEqual(opened);
    expect(hosted.pulls).toMatchObject([{ body: `By hand\n\n<!-- grove:change=${changeId} -->` }]);
    expect(await read()).toMatchObject({ pullRequest: { number: 1, state: "open", base: "main" } });
    expect(await ada.client.task.get.query({ organizationId, id: taskId })).toMatchObject({
      prUrl: opened.url,
    });
  });

  it("opens one if several callers open it at the same time, and if the answer is lost", async () => {
    host.isCut = ({ method, path }) => method === "POST" && /\/(pulls|merge_requests)$/.test(path);
    const opened = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(new Set(opened.map((one) => one.number))).toEqual(new Set([1]));
    expect(hosted.pulls).toHaveLength(1);
  });

  it("marks a draft as ready, also for an agent, and merges it only then", async () => {
    expect(await failure(agent.markReady.mutate(of()))).toMatchObject({ reason: "no_pull_request" });
    expect(await open(agent, { draft: true })).toMatchObject({
      state: "draft",
      blocks: [{ code: "draft" }],
    });
    await approve();
    expect(await failure(merge())).toMatchObject({ reason: "blocked" });
    expect(await failure(bob.client.workspace.change.markReady.mutate(of()))).toMatchObject({
      reason: "device_owner_required",
    });
    // The answer is lost: the draft is ready, and marking it again does nothing.
    host.isCut = ({ method, body }) => method === "PUT" || JSON.stringify(body).includes("markPullRequest");
    await agent.markReady.mutate(of()).catch(() => undefined);
    host.isCut = undefined;
    const ready = { state: "open", title: "Sign in", blocks: [] };
    expect(await agent.markReady.mutate(of())).toMatchObject(ready);
    expect(await read()).toMatchObject({ pullRequest: { state: "open" } });
    expect(await merge()).toMatchObject({ state: "merged" });
  });

  it("adopts a pull request that was opened elsewhere", async () => {
    hosted.open({ title: "By gh", body: "", draft: false, head: "work", base: "main" });
    expect(await change.pullStatus.query(of())).toMatchObject({ number: 1, title: "By gh" });
    expect(await read()).toMatchObject({ pullRequest: { number: 1 } });
    expect(await open()).toMatchObject({ number: 1, title: "By gh" });
  });

  const failed = { name: "test", word: provider === "github" ? "failure" : "failed", required: true };
  const checkLog = async (by: Pick<typeof change, "pullStatus" | "checkLog"> = change) => {
    const pull = await by.pullStatus.query(of());
    return by.checkLog.query({ ...of(), checkId: pull?.checks[0]?.id ?? "" });
  };

  it("returns the end of a check's log, without the project's secrets", async () => {
    const value = "hunter2hunter2";
    await ada.client.project.setSecret.mutate({ organizationId, projectId, key: "DEPLOY", value });
    await open();
    const log = `key ${value} and ghp_0123456789012345678901\nexpected 1 to be 2\n`;
    hosted.checks.set(commit("a"), [{ ...failed, log }]);
    const expected = {
      excerpt: "key [redacted] and [redacted]\nexpected 1 to be 2",
      url: "https://ci.example.com/test",
    };
    expect(await checkLog()).toEqual(expected);
    expect(await checkLog(agent)).toEqual(expected);
    expect(await failure(checkLog(bob.client.workspace.change))).toMatchObject({
      code: "FORBIDDEN",
      reason: "device_owner_required",
    });
  });

  it("has no log of a check that the code host has deleted, nor of one of another pull request", async () => {
    await open();
    hosted.checks.set(commit("a"), [failed]);
    const gone = { code: "PRECONDITION_FAILED", reason: "log_gone" };
    expect(await failure(checkLog())).toMatchObject(gone);
    const foreign = { ...failed, log: "of another" };
    hosted.checks.set(commit("e"), [foreign]);
    const checkId = `${idOfCheck(foreign)}`;
    expect(await failure(change.checkLog.query({ ...of(), checkId }))).toMatchObject(gone);
  });

  it("refuses a log that is too long, with the check's address", async () => {
    await open();
    hosted.checks.set(commit("a"), [{ ...failed, log: "x".repeat(26 * 1024 * 1024) }]);
    expect(await failure(checkLog())).toMatchObject({
      code: "PRECONDITION_FAILED",
      reason: "log_elsewhere",
      data: { details: { url: "https://ci.example.com/test" } },
    });
  });

  it("opens nothing for work that is not pushed, the base itself, and a text with a secret", async () => {
    const refused = async (fields: object = {}) => (await failure(open(change, fields))).reason;
    machine.remoteHead = commit("9");
    expect(await refused()).toBe("not_pushed");
    machine.remoteHead = commit("a");
    expect(await refused({ base: "work" })).toBe("base_is_head");
    await ada.client.project.setSecret.mutate({
      organizationId,
      projectId,
      key: "TOKEN",
      value: "hunter2-hunter2",
    });
    expect(await refused({ body: "Use hunter2-hunter2." })).toBe("secret_in_text");
    expect(await refused({ title: "Use ghp_0123456789012345678901" })).toBe("secret_in_text");
    hosted.branches.set("work", commit("0"));
    expect(await refused()).toBe("no_difference");
    host.override = ({ method }) => (method === "POST" ? { status: 403, json: {} } : undefined);
    expect(await refused()).toBe("provider_forbidden");
    expect(hosted.pulls).toEqual([]);
  });

  it("shows checks and blocks, and merges what is approved", async () => {
    await open();
    hosted.checks.set(commit("a"), [
      { name: "lint", word: "success", required: false },
      { name: "test", word: provider === "github" ? "failure" : "failed", required: true },
    ]);
    expect(await failure(merge())).toMatchObject({ reason: "not_approved" });
    const approved = await approve();
    expect(approved).toMatchObject({
      mergeable: "no",
      approvals: [{ userId: ada.user.id }],
      checks: [{ name: "test", state: "failed", required: true }, { name: "lint" }],
    });
    expect(approved.blocks).toMatchObject([{ code: "checks_failed" }]);
    const blocked = await failure(merge());
    expect(blocked).toMatchObject({ code: "PRECONDITION_FAILED", reason: "blocked" });
    expect(blocked.data.details).toMatchObject({ blocks: [{ code: "checks_failed" }] });
    hosted.checks.set(commit("a"), [{ name: "test", word: "success", required: true }]);
    hosted.methods = ["merge"];
    expect(await failure(merge(commit("a"), "squash"))).toMatchObject({ reason: "method_not_allowed" });
    expect(hosted.pulls[0]?.state).toBe("open");
    expect(await merge()).toMatchObject({ state: "merged" });
    expect(hosted.pulls[0]?.mergedCommit).toBe(commit("a"));
    expect(await failure(merge())).toMatchObject({ code: "CONFLICT", reason: "already_merged" });
    expect(await read()).toMatchObject({ pullRequest: { state: "merged", doneAt: expect.any(String) } });
    expect(await ada.client.task.get.query({ organizationId, id: taskId })).toMatchObject({
      statusType: "completed",
    });
  });

  it("merges nothing after a push, before and during the merge", async () => {
    await open();
    await approve();
    hosted.branches.set("work", commit("b"));
    const moved = { code: "CONFLICT", reason: "head_moved", data: { details: { head: commit("b") } } };
    expect(await failure(merge())).toMatchObject(moved);
    expect(await failure(approve())).toMatchObject(moved);
    expect(await failure(merge(commit("b")))).toMatchObject({ reason: "not_approved" });
    await approve(commit("b"));
    // The push arrives after Grove has read the pull request.
    host.override = ({ method }) => {
      if (method === "PUT") hosted.branches.set("work", commit("e"));
      return undefined;
    };
    expect(await failure(merge(commit("b")))).toMatchObject({ reason: "head_moved" });
    expect(hosted.pulls[0]?.state).toBe("open");
  });

  /**
   * Runs a call again and again, each time with an event just before another one of its requests, the first before the
   * first. Resolves once the event is after the last request.
   */
  const eachInterleaving = async (
    run: (n: number, arrange: (event: () => void) => void) => Promise<void>,
  ) => {
    for (let n = 1; ; n++) {
      let requests = 0;
      await run(n, (event) => {
        host.override = () => {
          requests += 1;
          if (requests === n) event();
          return undefined;
        };
      });
      host.override = undefined;
      if (requests < n) return n - 1;
    }
  };
  const numbered = (n: number) => n.toString(16).padStart(40, "c");

  /** Merges, with a push when `arrange` calls it. Returns the pull request, and the error if it was not merged. */
  const mergeDuringPush = async (n: number, arrange: (event: () => void) => void) => {
    hosted.branches.set("work", numbered(n));
    Object.assign(machine, { head: numbered(n), remoteHead: numbered(n) });
    await open();
    await approve(numbered(n));
    const pull = hosted.pulls.at(-1);
    arrange(() => hosted.branches.set("work", commit("b")));
    const outcome = await merge(numbered(n)).catch((error: unknown) => error);
    Object.assign(host, { override: undefined, isCut: undefined });
    const isMerged = pull?.state === "merged";
    if (isMerged) {
      expect(outcome).toMatchObject({ state: "merged" });
      expect(pull.mergedCommit).toBe(numbered(n));
    } else Object.assign(pull ?? {}, { state: "closed" });
    // Makes Grove read the end of the merge.
    await change.pullStatus.query(of());
    return { isMerged, outcome };
  };

  it("merges the approved commit or nothing, whenever a push arrives", async () => {
    let merged = 0;
    const requests = await eachInterleaving(async (n, arrange) => {
      const { isMerged, outcome } = await mergeDuringPush(n, arrange);
      if (isMerged) merged += 1;
      else expect(outcome).toMatchObject({ data: { reason: "head_moved" } });
    });
    expect(requests).toBeGreaterThan(4);
    expect(merged).toBeGreaterThan(0);
    expect(merged).toBeLessThan(requests);
  });

  it("merges the approved commit or nothing in random races with a push, also after a lost answer", {
    timeout: RACES_TIMEOUT,
  }, async () => {
    const random = seeded(17);
    let merged = 0;
    for (let n = 1; n <= RACES; n++) {
      let requests = Math.floor(random() * 12);
      const { isMerged, outcome } = await mergeDuringPush(n, (push) => {
        const isLost = random() < 0.3;
        host.override = () => {
          if (requests-- === 0) push();
          return undefined;
        };
        host.isCut = ({ method }) => isLost && method === "PUT";
      });
      if (isMerged) merged += 1;
      else
        expect(["head_moved", "provider_unavailable"]).toContain(
          (await failure(Promise.reject(outcome))).reason,
        );
    }
    expect(merged).toBeGreaterThan(0);
    expect(merged).toBeLessThan(RACES);
  });

  const openByGh = () => hosted.open({ title: "By gh", body: "", draft: false, head: "work", base: "main" });

  /** Closes the newest pull request, so that another one can be opened. */
  const closeNewest = async () => {
    Object.assign(hosted.pulls.at(-1) ?? {}, { state: "closed", updatedAt: hosted.tick() });
    Object.assign(host, { override: undefined, isCut: undefined });
    await change.pullStatus.query(of());
  };

  it("has one pull request, whenever another program opens it", async () => {
    const requests = await eachInterleaving(async (n, arrange) => {
      hosted.branches.set("work", numbered(n));
      Object.assign(machine, { head: numbered(n), remoteHead: numbered(n) });
      const before = hosted.pulls.length;
      arrange(openByGh);
      const opened = await open();
      expect(hosted.pulls).toHaveLength(before + 1);
      expect(opened).toMatchObject({ number: before + 1, state: "open" });
      await closeNewest();
    });
    expect(requests).toBeGreaterThan(2);
  });

  it("has one pull request in random races of callers with another program, lost answers and outages", {
    timeout: RACES_TIMEOUT,
  }, async () => {
    const random = seeded(23);
    for (let n = 1; n <= RACES; n++) {
      hosted.branches.set("work", numbered(n));
      Object.assign(machine, { head: numbered(n), remoteHead: numbered(n) });
      const before = hosted.pulls.length;
      const [isLost, isBeside, isOutage] = [random() < 0.5, random() < 0.5, random() < 0.3];
      let requests = Math.floor(random() * 10);
      let isDown = false;
      host.isCut = ({ method, path }) => isLost && method === "POST" && path !== "/graphql";
      host.override = ({ method, path }) => {
        if (isBeside && requests-- === 0) openByGh();
        if (isDown) return { status: 503, json: {} };
        // The request for a new pull request takes effect, and nothing is read afterwards.
        isDown = isOutage && method === "POST" && path !== "/graphql";
        return undefined;
      };
      const callers = await Promise.allSettled(Array.from({ length: 1 + (n % 3) }, () => open()));
      host.override = undefined;
      const isRefused = callers.some(({ status }) => status === "rejected");
      if (isRefused) expect(isDown).toBe(true);
      // A refused caller tries again.
      const opened = await open();
      expect(hosted.pulls).toHaveLength(before + 1);
      expect(opened).toMatchObject({ number: before + 1, state: "open" });
      await closeNewest();
    }
  });

  it("takes an approval neither for another base nor once it is withdrawn", async () => {
    await open();
    await approve();
    (hosted.pulls[0] ?? { base: "" }).base = "release";
    expect(await failure(merge())).toMatchObject({ reason: "not_approved" });
    (hosted.pulls[0] ?? { base: "" }).base = "main";
    await change.unapprove.mutate({ ...of(), head: commit("a") });
    expect(await failure(merge())).toMatchObject({ reason: "not_approved" });
  });

  it("finds that it merged after a lost answer", async () => {
    await open();
    await approve();
    host.isCut = ({ method }) => method === "PUT";
    expect(await merge()).toMatchObject({ state: "merged" });
    expect(await read()).toMatchObject({ pullRequest: { state: "merged" } });
  });

  it("does not know whether it merged if the code host stops answering", async () => {
    await open();
    await approve();
    let isDown = false;
    host.override = ({ method }) => {
      isDown ||= method === "PUT";
      return isDown ? { status: 503, json: {} } : undefined;
    };
    expect(await failure(merge())).toMatchObject({ code: "BAD_GATEWAY", reason: "outcome_unknown" });
  });

  it("has no code host for a directory of one machine", async () => {
    const project = { ...projectFields(), repoUrl: "file:///home/ada/shop" };
    const workspace = { id: newId(), name: "w", type: "worktree" as const, config: { branchName: "work" } };
    await device.client.workspace.ensure.mutate({ organizationId, project, workspace });
    const [made] = await change.list.query({ organizationId, workspaceId: workspace.id });
    const status = change.pullStatus.query({ organizationId, changeId: made?.id ?? "" });
    expect(await failure(status)).toMatchObject({ code: "PRECONDITION_FAILED", reason: "no_connection" });
  });

  it("does not merge where a queue is required", async () => {
    await open();
    await approve();
    hosted.hasQueue = true;
    expect(await failure(merge())).toMatchObject({ reason: "queue_required" });
    expect(hosted.pulls[0]?.state).toBe("open");
  });

  it("an agent's key opens, but neither approves nor merges, and only users of the device act", async () => {
    await open(agent);
    const refused = { code: "FORBIDDEN", reason: "session_required" };
    const head = commit("a");
    expect(await failure(agent.approve.mutate({ ...of(), head }))).toMatchObject(refused);
    expect(await failure(agent.merge.mutate({ ...of(), head, method: "merge" }))).toMatchObject(refused);
    expect(await failure(bob.client.workspace.change.approve.mutate({ ...of(), head }))).toMatchObject({
      reason: "device_owner_required",
    });
    expect(await bob.client.workspace.change.pullStatus.query(of())).toMatchObject({ number: 1 });
  });
});

it("needs a connection to the project's own code host", async () => {
  const eve = await server.signUp("Eve");
  const { organizationId } = eve;
  const { credentials } = providers.access.gitlab;
  if (credentials.type !== "token") return expect.unreachable();
  const { token } = credentials;
  await eve.client.integration.connect.mutate({ organizationId, provider: "gitlab", token });
  const project = { ...projectFields(), repoUrl: "https://github.com/acme/orchard.git" };
  const workspace = { id: newId(), name: "w", type: "worktree" as const, config: { branchName: "work" } };
  await eve.client.workspace.ensure.mutate({ organizationId, project, workspace });
  const [made] = await eve.client.workspace.change.list.query({ organizationId, workspaceId: workspace.id });
  const status = eve.client.workspace.change.pullStatus.query({ organizationId, changeId: made?.id ?? "" });
  expect(await failure(status)).toMatchObject({ code: "PRECONDITION_FAILED", reason: "no_connection" });
});
