import { newId } from "@grove/db";
import { HostedRepository, useProviders } from "@grove/integrations/testing";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { callProvider } from "../../integrations/call";
import { useReceiver } from "../../notifications/testing";
import { start } from "../../server";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";
import { findPullTarget } from "../pulls/pullTarget";
import { followMerge } from "./followMerge";

const receiver = await useReceiver();
const providers = await useProviders();
const pullPolling = { checkingMs: 50, activeMs: 50, idleMs: 50 };
const server = await useTestServer({
  integrations: {
    ...providers.options,
    privateHosts: [...(providers.options.privateHosts ?? []), receiver.host],
  },
  pullPolling,
});
const { db } = server.database;
/** A second process polls the same pull requests. */
const second = await start({ ...server.services, database: server.database, host: "127.0.0.1", port: 0 });
afterAll(() => second.close());
const head = "a".repeat(40);
const method = "merge";
let number = 0;

describe.each(["github", "gitlab"] as const)("%s", async (provider) => {
  const host = providers.servers[provider];
  const words =
    provider === "github"
      ? { running: "in_progress", failed: "failure" }
      : { running: "running", failed: "failed" };
  const ada = await server.signUp(`Ada of ${provider}`);
  const bob = await server.signUp(`Bob of ${provider}`);
  const { organizationId } = ada;
  await addMember(server, organizationId, bob, "admin");
  const { change } = ada.client.workspace;
  const { credentials } = providers.access[provider];
  if (credentials.type === "token")
    await ada.client.integration.connect.mutate({ organizationId, provider, token: credentials.token });
  await ada.client.user.setNotificationRules.mutate({
    organizationId,
    rules: [
      {
        channel: "webhook",
        target: { url: `${receiver.url}/${provider}`, secret: "0123456789abcdef" },
        kinds: ["merged", "blocked"],
        timeZone: "UTC",
      },
    ],
  });

  let hosted: HostedRepository;
  let changeId: string;

  beforeEach(async () => {
    number += 1;
    Object.assign(host, { override: undefined, isCut: undefined });
    host.received.length = 0;
    hosted = new HostedRepository("acme", `shop-${number}`);
    hosted.branches.set("work", head);
    host.state.hosted.push(hosted);
    const repoUrl = `https://${provider}.com/acme/${hosted.name}.git`;
    const project = { ...projectFields(), repoOwner: "acme", repoName: hosted.name, repoUrl };
    const workspace = {
      id: newId(),
      name: "work",
      type: "worktree" as const,
      config: { branchName: "work" },
    };
    await ada.client.workspace.ensure.mutate({ organizationId, project, workspace });
    const [made] = await change.list.query({ organizationId, workspaceId: workspace.id });
    changeId = made?.id ?? "";
    setCheck("running");
    hosted.open({ title: "Work", body: "", draft: false, head: "work", base: "main" });
    await change.approve.mutate({ organizationId, changeId, head });
  });

  const of = () => ({ organizationId, changeId });
  const setCheck = (state: "running" | "failed" | "success", commit = head) =>
    hosted.checks.set(commit, [
      { name: "test", word: state === "success" ? state : words[state], required: true },
    ]);
  const merge = (by = change) => by.merge.mutate({ ...of(), head, method, when: "green" });
  const cancel = (by = change) => by.cancelMerge.mutate(of());
  const intent = async () => (await change.pullStatus.query(of()))?.mergeIntent;
  const until = (expected: object) =>
    expect.poll(intent, { interval: 100, timeout: 15_000 }).toMatchObject(expected);
  const merges = () => host.received.filter(({ method }) => method === "PUT");
  const pull = () => hosted.pulls[0] ?? expect.unreachable();
  const messages = () =>
    receiver.at(`/${provider}`).map(({ body }) => JSON.parse(body.toString()) as Record<string, string>);
  const messagesOf = (name: string) => messages().filter(({ title }) => title?.includes(name));

  it("merges once, when the checks have passed, although two processes watch", async () => {
    const asked = await merge();
    expect(asked).toMatchObject({
      state: "open",
      mergeIntent: { userId: ada.user.id, name: `Ada of ${provider}`, head, method, status: "waiting" },
    });
    expect(asked.mergeIntent).toMatchObject({ reason: null, at: expect.any(String) });
    // Both processes have read it while its check runs.
    const reads = () => host.received.filter(({ path }) => /\/(pulls|merge_requests)\/1$/.test(path)).length;
    const before = reads();
    await expect.poll(reads, { timeout: 15_000 }).toBeGreaterThan(before + 4);
    expect(merges()).toEqual([]);
    setCheck("success");
    await until({ status: "done" });
    expect(pull()).toMatchObject({ state: "merged", mergedCommit: head });
    expect(merges()).toHaveLength(1);
    expect(await change.get.query({ organizationId, id: changeId })).toMatchObject({
      pullRequest: { state: "merged" },
    });
    const action = "workspace.change.merge";
    const events = await ada.client.organization.listAuditEvents.query({ organizationId, action });
    const ofMerge = events.filter(({ targetId }) => targetId === changeId);
    expect(ofMerge.map(({ metadata }) => metadata.outcome)).toEqual(["merged", "waiting"]);
    await expect.poll(() => messages().length, { timeout: 15_000 }).toBe(1);
    expect(messages()).toMatchObject([
      { kind: "merged", title: "Pull request #1 of work was merged into main" },
    ]);
  });

  it("merges once if several processes have read at the same time that the checks have passed", async () => {
    await merge();
    await db
      .updateTable("pull_requests")
      .set({ poll_at: sql`now() + interval '1 hour'` })
      .where("change_id", "=", changeId)
      .execute();
    const target = await findPullTarget(db, of());
    const { connection, repo } = target;
    setCheck("success");
    const found = await callProvider(server.services, "codehost", connection, (port) =>
      port.pullStatus(repo, 1),
    );
    const processes = [server.services, second.services, server.services, second.services];
    await Promise.all(processes.map((services) => followMerge(services, target, found)));
    // An instance that polls may have read that the checks have passed, and then it merges.
    await until({ status: "done" });
    expect(merges()).toHaveLength(1);
  });

  it("merges immediately what can be merged", async () => {
    setCheck("success");
    expect(await merge()).toMatchObject({ state: "merged", mergeIntent: null });
    expect(merges()).toHaveLength(1);
  });

  /** The requests of the change that Grove has ended, the newest first, as the audit log names them. */
  const auditedEnds = async () => {
    const action = "workspace.change.mergeEnded";
    const events = await ada.client.organization.listAuditEvents.query({ organizationId, action });
    return events.filter(({ targetId }) => targetId === changeId);
  };
  const endedByGrove = async (end: { reason: string; detail?: string }) => {
    await endsWith(end);
    const [event] = await auditedEnds();
    expect(event).toMatchObject({
      actorKind: "system",
      targetType: "change",
      metadata: { number: 1, head, method, reason: end.reason },
    });
    expect(event?.metadata).not.toHaveProperty("detail");
  };
  const endsWith = async (end: object) => {
    await until({ status: "ended", ...end });
    setCheck("success");
    setCheck("success", "b".repeat(40));
    expect(merges()).toEqual([]);
    expect(pull().state).toBe("open");
  };

  it("never merges another commit or into another base", async () => {
    await merge();
    hosted.branches.set("work", "b".repeat(40));
    setCheck("success", "b".repeat(40));
    await endedByGrove({ reason: "head_moved" });
    expect(await auditedEnds()).toMatchObject([{ metadata: { requestedBy: ada.user.id, base: "main" } }]);
    hosted.branches.set("work", head);
    setCheck("running");
    await change.approve.mutate({ ...of(), head });
    await merge();
    pull().base = "release";
    await endedByGrove({ reason: "head_moved" });
  });

  it("merges nothing if the push arrives after the checks were read", async () => {
    await merge();
    host.override = ({ method }) => {
      if (method === "PUT") hosted.branches.set("work", "b".repeat(40));
      return undefined;
    };
    setCheck("success");
    await until({ status: "ended", reason: "head_moved" });
    expect(pull().state).toBe("open");
  });

  it("ends when a check fails, and notifies the person once", async () => {
    await merge();
    const before = messages().length;
    setCheck("failed");
    await endedByGrove({ reason: "checks_failed", detail: provider === "github" ? "test" : "ci_must_pass" });
    await expect.poll(() => messages().length, { timeout: 15_000 }).toBe(before + 1);
    expect(messages().at(-1)).toMatchObject({
      kind: "blocked",
      title: "Pull request #1 of work was not merged: a required check failed",
    });
  });

  it("ends when the approval is withdrawn, or the person loses access", async () => {
    await merge();
    await change.unapprove.mutate({ ...of(), head });
    await endedByGrove({ reason: "not_approved" });
    setCheck("running");
    await change.approve.mutate({ ...of(), head });
    await merge(bob.client.workspace.change);
    await ada.client.organization.updateMemberRole.mutate({
      organizationId,
      userId: bob.user.id,
      role: "member",
    });
    await endedByGrove({ reason: "not_allowed" });
    const askers = (await auditedEnds()).map(({ metadata }) => metadata.requestedBy);
    expect(askers).toEqual([bob.user.id, ada.user.id]);
    await ada.client.organization.updateMemberRole.mutate({
      organizationId,
      userId: bob.user.id,
      role: "admin",
    });
  });

  it("ends after a day, even while the code host does not answer", async () => {
    await merge();
    host.override = () => ({ status: 503, json: {} });
    await db
      .updateTable("merge_intents")
      .set({ expires_at: sql`now()` })
      .where("change_id", "=", changeId)
      .execute();
    const row = db.selectFrom("merge_intents").select(["status", "reason"]).where("change_id", "=", changeId);
    await expect.poll(() => row.execute()).toEqual([{ status: "ended", reason: "expired" }]);
    host.override = undefined;
    await endedByGrove({ reason: "expired" });
  });

  it("follows a merge elsewhere, which another read may have recorded", async () => {
    await merge();
    setCheck("success");
    hosted.merge(pull(), head);
    expect(await change.pullStatus.query(of())).toMatchObject({ state: "merged" });
    await until({ status: "done" });
    expect(merges()).toEqual([]);
  });

  describe("where a merge queue is required", () => {
    const queue = (when: "now" | "green") => change.merge.mutate({ ...of(), head, method: "queue", when });
    const workState = async () => (await change.get.query({ organizationId, id: changeId })).workState;

    beforeEach(() => {
      hosted.hasQueue = true;
    });

    it("adds the commit to the queue, and follows it until the queue has merged it", async () => {
      setCheck("success");
      expect(await queue("now")).toMatchObject({
        state: "open",
        mergeIntent: { status: "queued", head, method: "queue" },
      });
      expect([...hosted.queue.values()]).toEqual([head]);
      await expect.poll(workState).toBe("merging");
      expect(await failure(cancel())).toMatchObject({ reason: "too_late", message: /merge queue/ });
      expect(await failure(queue("now"))).toMatchObject({
        reason: "blocked",
        data: { details: { blocks: [{ code: "queued" }] } },
      });
      hosted.mergeQueued();
      await until({ status: "done" });
      expect(pull()).toMatchObject({ state: "merged", mergedCommit: head });
      await expect.poll(() => messagesOf(`#${pull().number}`).length).toBeGreaterThan(0);
      const action = "workspace.change.merge";
      const events = await ada.client.organization.listAuditEvents.query({ organizationId, action });
      expect(events.filter(({ targetId }) => targetId === changeId)).toMatchObject([
        { metadata: { head, method: "queue", outcome: "queued" } },
      ]);
    });

    it("adds it once the checks have passed", async () => {
      expect((await queue("green")).mergeIntent).toMatchObject({ status: "waiting", method: "queue" });
      expect(hosted.queue.size).toBe(0);
      setCheck("success");
      await until({ status: "queued" });
      hosted.mergeQueued();
      await until({ status: "done" });
    });

    it("ends when the queue removes it, and is in the way of no other merge", async () => {
      setCheck("success");
      await queue("now");
      hosted.queue.clear();
      // The code host may report a new queue entry late, so a missing entry is ignored at first.
      await sql`update merge_intents set queued_at = queued_at - interval '2 minutes'
        where change_id = ${changeId}`.execute(db);
      await until({ status: "ended", reason: "dequeued" });
      await expect.poll(workState).toBe("approved");
      await expect.poll(() => messagesOf("removed from the merge queue").length).toBeGreaterThan(0);
      expect((await queue("now")).mergeIntent).toMatchObject({ status: "queued" });
    });

    it("ends when the branch has moved", async () => {
      setCheck("success");
      await queue("now");
      hosted.branches.set("work", "b".repeat(40));
      hosted.mergeQueued();
      await until({ status: "ended", reason: "head_moved" });
    });

    it("follows a pull request that someone else has added to the queue", async () => {
      await queue("green");
      setCheck("success");
      hosted.enqueue(pull(), head);
      await until({ status: "queued" });
      hosted.mergeQueued();
      await until({ status: "done" });
    });

    it("knows that it was added, although the answer was lost", async () => {
      setCheck("success");
      host.override = ({ method, path, body }) => {
        const isEnqueue =
          path.endsWith("/merge_trains/merge_requests/1") || JSON.stringify(body).includes("mutation");
        if (method !== "POST" || !isEnqueue || hosted.queue.size > 0) return undefined;
        hosted.enqueue(pull(), head);
        return { status: 502, json: {} };
      };
      expect((await queue("now")).mergeIntent).toMatchObject({ status: "queued" });
      expect(hosted.queue.size).toBe(1);
    });
  });

  it("ends when the pull request is closed", async () => {
    await merge();
    pull().state = "closed";
    await until({ status: "ended", reason: "closed" });
  });

  it("refuses what does not end by itself, and a queue", async () => {
    setCheck("failed");
    expect(await failure(merge())).toMatchObject({
      reason: "blocked",
      data: { details: { blocks: [{ code: "checks_failed" }] } },
    });
    setCheck("running");
    hosted.hasQueue = true;
    expect(await failure(merge())).toMatchObject({ reason: "queue_required" });
    hosted.hasQueue = false;
    pull().draft = true;
    expect(await failure(merge())).toMatchObject({ reason: "blocked" });
    pull().draft = false;
    expect(await failure(change.merge.mutate({ ...of(), head, method }))).toMatchObject({
      reason: "blocked",
    });
    await change.unapprove.mutate({ ...of(), head });
    expect(await failure(merge())).toMatchObject({ reason: "not_approved" });
    expect(await intent()).toBeNull();
  });

  it("has one request for each change, which its person replaces and anyone with access cancels", async () => {
    await merge();
    const others = bob.client.workspace.change;
    expect(await failure(merge(others))).toMatchObject({
      code: "CONFLICT",
      reason: "already_asked",
      data: { details: { name: `Ada of ${provider}` } },
    });
    const replaced = await change.merge.mutate({ ...of(), head, method: "squash", when: "green" });
    expect(replaced.mergeIntent).toMatchObject({ status: "waiting", method: "squash" });
    await cancel(others);
    await endsWith({ reason: "canceled" });
    // Nothing waits.
    await cancel();
    await expect.poll(() => messagesOf("another member canceled it").length, { timeout: 15_000 }).toBe(1);
  });

  it("is canceled or merged, never both", async () => {
    await merge();
    // It is canceled while a process reads that the checks have passed.
    const canceled = new Promise<boolean>((resolve) => {
      host.override = ({ method, path }) => {
        if (method !== "GET" || !/\/(status|jobs)$/.test(path)) return undefined;
        host.override = undefined;
        cancel().then(
          () => resolve(true),
          () => resolve(false),
        );
        return undefined;
      };
      setCheck("success");
    });
    const isCanceled = await canceled;
    await until(isCanceled ? { status: "ended", reason: "canceled" } : { status: "done" });
    expect(pull().state).toBe(isCanceled ? "open" : "merged");
    expect(merges()).toHaveLength(isCanceled ? 0 : 1);
  });

  it("is not canceled during the merge, nor after it", async () => {
    await merge();
    let during: ReturnType<typeof failure> | undefined;
    host.override = ({ method }) => {
      if (method === "PUT") during ??= failure(cancel());
      return undefined;
    };
    setCheck("success");
    await until({ status: "done" });
    const tooLate = { code: "CONFLICT", reason: "too_late" };
    expect(await during).toMatchObject(tooLate);
    expect(await failure(cancel())).toMatchObject(tooLate);
  });

  it("knows that it merged after a lost answer", async () => {
    await merge();
    host.isCut = ({ method }) => method === "PUT";
    setCheck("success");
    await until({ status: "done" });
    expect(merges()).toHaveLength(1);
  });

  it("reads what happened once a code host that went away answers again", async () => {
    await merge();
    let isDown = false;
    host.override = ({ method }) => {
      isDown ||= method === "PUT";
      return isDown ? { status: 503, json: {} } : undefined;
    };
    setCheck("success");
    await expect.poll(() => isDown, { timeout: 15_000 }).toBe(true);
    hosted.merge(pull(), head);
    host.override = undefined;
    await until({ status: "done" });
    expect(merges()).toHaveLength(1);
  });

  const leaveRunning = () =>
    db
      .updateTable("merge_intents")
      .set({ status: "running", leased_until: sql`now() - interval '1 second'` })
      .where("change_id", "=", changeId)
      .execute();

  it("merges what a process that was killed had begun, once", async () => {
    await merge();
    await leaveRunning();
    await until({ status: "waiting" });
    await leaveRunning();
    setCheck("success");
    await until({ status: "done" });
    expect(merges()).toHaveLength(1);
  });

  it("is not for API keys and other organizations", async () => {
    const { key } = await ada.client.apiKey.create.mutate({
      organizationId,
      name: "agent",
      scopes: ["read", "write"],
    });
    const agent = server.client(key).workspace.change;
    const refused = { code: "FORBIDDEN", reason: "session_required" };
    expect(await failure(merge(agent))).toMatchObject(refused);
    expect(await failure(cancel(agent))).toMatchObject(refused);
    const eve = await server.signUp("Eve");
    const own = { organizationId: eve.organizationId, changeId };
    const foreign = eve.client.workspace.change;
    expect(await failure(foreign.merge.mutate({ ...own, head, method, when: "green" }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await failure(foreign.cancelMerge.mutate(own))).toMatchObject({ code: "NOT_FOUND" });
  });
});
