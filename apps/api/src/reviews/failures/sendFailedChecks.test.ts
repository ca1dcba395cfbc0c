import { useProviders } from "@grove/integrations/testing";
import type { HeldReason } from "@grove/schemas";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { findPullTarget } from "../../changes/pulls/pullTarget";
import { callProvider } from "../../integrations/call";
import { reportPresence } from "../../notifications/presence";
import { useReceiver } from "../../notifications/testing";
import { start } from "../../server";
import { addMember } from "../../testing/fixtures";
import { type Person, useTestServer } from "../../testing/server";
import { sendFailedChecks } from "./sendFailedChecks";
import { commit, failing, useAgents } from "./testing";

const providers = await useProviders();
const receiver = await useReceiver();
const { options } = providers;
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: { ...options, privateHosts: [...options.privateHosts, receiver.host] },
  pullPolling: { checkingMs: 100, activeMs: 100, idleMs: 100 },
});
const { db } = server.database;
const WAIT = { timeout: 15_000 };

/** Notifies a member of failed checks. @returns the notifications about a session */
async function notified(person: Person, organizationId: string) {
  const path = `/${person.user.id}`;
  await person.client.user.setNotificationRules.mutate({
    organizationId,
    rules: [
      {
        channel: "webhook",
        kinds: ["checks_failed"],
        timeZone: "UTC",
        target: { url: `${receiver.url}${path}`, secret: "s".repeat(16) },
      },
    ],
  });
  return ({ sessionId }: { sessionId: string }) =>
    receiver
      .at(path)
      .map(({ body }) => JSON.parse(`${body}`) as { title: string; url: string })
      .filter(({ url }) => url.endsWith(`/agents/${sessionId}`));
}

describe.each(["github", "gitlab"] as const)("%s", async (provider) => {
  const ada = await server.signUp(`Ada of ${provider}`);
  const { organizationId } = ada;
  const { credentials } = providers.access[provider];
  if (credentials.type === "token")
    await ada.client.integration.connect.mutate({ organizationId, provider, token: credentials.token });
  const noticesOf = await notified(ada, organizationId);
  const { agent } = useAgents(server, providers, ada, provider);
  const failed = (log: string) => failing(provider, log);
  const passed = { ...failed(""), word: "success" };

  type Case = Awaited<ReturnType<typeof agent>>;
  /** Polls from now on, until a person was notified, and once more. */
  async function expectHeld(one: Case, heldReason: HeldReason) {
    await expect.poll(one.read, WAIT).toMatchObject({ heldReason });
    await expect.poll(() => noticesOf(one), WAIT).toHaveLength(1);
    await untilReadAgain(one.of.changeId);
    expect(await one.read()).toMatchObject({ heldReason });
    expect(noticesOf(one)).toHaveLength(1);
    expect(await one.state()).toBe("checks_failed");
  }
  async function untilReadAgain(changeId: string) {
    const times = () =>
      db.selectFrom("pull_requests").select("poll_at").where("change_id", "=", changeId).executeTakeFirst();
    for (let reads = 0; reads < 3; reads++) {
      const before = await times();
      await expect.poll(times, WAIT).not.toEqual(before);
    }
  }
  const poll = () => sql`update pull_requests set poll_at = now()`.execute(db);

  it("sends failed checks once if the agent fixes them, without the project's secrets", async () => {
    const one = await agent(async () => {
      await expect.poll(one.state, WAIT).toBe("changes_requested");
      expect(await one.read()).toMatchObject({ checksRound: { number: 1, of: 2 }, heldReason: null });
      one.hosted.checks.set(commit("b"), [passed]);
      one.hosted.branches.set("work", commit("b"));
    });
    const value = "hunter2hunter2";
    const secret = { organizationId, projectId: one.projectId, key: "DEPLOY", value };
    await ada.client.project.setSecret.mutate(secret);
    await one.report("done");
    one.hosted.checks.set(commit("a"), [failed(`key ${value}\nexpected 1 to be 2\n`)]);
    await poll();
    await expect.poll(one.state, WAIT).toBe("ready");
    await untilReadAgain(one.of.changeId);
    expect(one.rounds).toEqual([
      {
        id: expect.any(String),
        kind: "checks",
        number: 1,
        of: 2,
        change: "work",
        head: commit("a"),
        more: 0,
        failed: [
          {
            name: "test",
            url: "https://ci.example.com/test",
            excerpt: "key [redacted]\nexpected 1 to be 2",
          },
        ],
      },
    ]);
    await expect.poll(one.read, WAIT).toMatchObject({ checksRound: null, heldReason: null });
    expect(noticesOf(one)).toEqual([]);
    const { rounds } = await ada.client.workspace.review.list.query(one.of);
    expect(rounds).toMatchObject([{ kind: "checks", byUserId: null, status: "delivered" }]);
  });

  it("stops after two rounds with new errors, and notifies a person once", async () => {
    const heads = ["b", "c", "d"].map(commit);
    const one = await agent((round) => {
      const next = heads[round.number - 1] ?? "";
      one.hosted.checks.set(next, [failed(`the ${["first", "second", "third"][round.number]} error`)]);
      one.hosted.branches.set("work", next);
    });
    await one.report("done");
    one.hosted.checks.set(commit("a"), [failed("the first error")]);
    await poll();
    await expectHeld(one, "spent");
    expect(one.rounds.map(({ number, of, head }) => [number, of, head])).toEqual([
      [1, 2, commit("a")],
      [2, 2, commit("b")],
    ]);
    const [notice] = noticesOf(one);
    expect(notice).toMatchObject({ title: "Checks failed in login-form" });
    expect(JSON.stringify(notice)).not.toContain("error");
  });

  it("sends the same error once, whatever its numbers and times", async () => {
    const one = await agent(() => {
      one.hosted.checks.set(commit("b"), [failed("12:31:09 src/a.ts:7 timeout after 951 ms, run 9f2c1e7")]);
      one.hosted.branches.set("work", commit("b"));
    });
    await one.report("done");
    one.hosted.checks.set(commit("a"), [failed("08:04:55 src/a.ts:9 timeout after 1012 ms, run 00ab3d2")]);
    await poll();
    await expectHeld(one, "same_failure");
    expect(one.rounds).toHaveLength(1);
  });

  const words = provider === "github" ? ["cancelled", "action_required"] : ["canceled"];
  it.each(words)("leaves checks that ended as %s to a person", async (word) => {
    const one = await agent(() => undefined);
    await one.report("done");
    one.hosted.checks.set(commit("a"), [{ ...failed("log"), word }]);
    await poll();
    await expectHeld(one, "not_a_failure");
    expect(one.rounds).toEqual([]);
  });

  it("notifies a person if the agent's turn ends without a new commit, and of an undelivered round", async () => {
    const lazy = await agent(() => undefined);
    await lazy.report("done");
    lazy.hosted.checks.set(commit("a"), [failed("log")]);
    await poll();
    await expectHeld(lazy, "no_new_commit");
    expect(await lazy.read()).toMatchObject({ checksRound: { number: 1, of: 2 } });
    const refusing = await agent(undefined);
    await refusing.report("done");
    refusing.hosted.checks.set(commit("a"), [failed("log")]);
    await poll();
    await expectHeld(refusing, "not_delivered");
    expect([lazy.rounds, refusing.rounds].map((rounds) => rounds.length)).toEqual([1, 1]);
  });

  it("sends nothing for a fork, with no rounds, or without an agent that reports its turns", async () => {
    const fork = await agent(() => undefined);
    await fork.report("done");
    fork.pull.isFork = true;
    const off = await agent(() => undefined);
    await off.report("done");
    await ada.client.project.update.mutate({ organizationId, id: off.projectId, maxRounds: 0 });
    const guessed = await agent(() => undefined);
    await guessed.report("done", { source: "screen" });
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const left = await agent(() => undefined, bob);
    await ada.client.device.update.mutate({ organizationId, id: left.deviceId, shared: true });
    await ada.client.organization.removeMember.mutate({ organizationId, userId: bob.user.id });
    await left.report("done");
    for (const { hosted } of [fork, off, guessed, left]) hosted.checks.set(commit("a"), [failed("log")]);
    await poll();
    await expect.poll(off.read, WAIT).toMatchObject({ heldReason: "off" });
    await expect.poll(guessed.read, WAIT).toMatchObject({ heldReason: "no_agent" });
    await expect.poll(left.read, WAIT).toMatchObject({ heldReason: "not_permitted" });
    await expect.poll(fork.read, WAIT).toMatchObject({ heldReason: "fork" });
    // Ada is notified about the agent of a user who left, since she started the others.
    await expect
      .poll(() => [fork, off, guessed, left].map((one) => noticesOf(one).length), WAIT)
      .toEqual([1, 1, 1, 0]);
    for (const { rounds } of [fork, off, guessed, left]) expect(rounds).toEqual([]);
  });

  it("waits for an agent that asks, and for running checks", async () => {
    const one = await agent(() => undefined);
    await one.report("needs_permission");
    const running = { ...failed(""), name: "slow", word: provider === "github" ? "in_progress" : "running" };
    one.hosted.checks.set(commit("a"), [failed("log"), running]);
    await poll();
    await untilReadAgain(one.of.changeId);
    one.hosted.checks.set(commit("a"), [failed("log")]);
    await untilReadAgain(one.of.changeId);
    expect(one.rounds).toEqual([]);
    expect(await one.read()).toMatchObject({ heldReason: null, checksRound: null });
    expect(noticesOf(one)).toEqual([]);
    await one.report("done");
    await expectHeld(one, "no_new_commit");
    expect(one.rounds).toHaveLength(1);
  });

  it("delays the push to a user who is present, who sees it in the console first", async () => {
    const bob = await server.signUp(`Bob, present, of ${provider}`);
    await addMember(server, organizationId, bob, "member");
    await bob.client.user.setNotificationRules.mutate({
      organizationId,
      rules: [{ channel: "push", kinds: ["checks_failed"], timeZone: "UTC" }],
    });
    await reportPresence(db, bob.user.id);
    const one = await agent(() => undefined, bob);
    await ada.client.device.update.mutate({ organizationId, id: one.deviceId, shared: true });
    await one.report("done");
    one.hosted.checks.set(commit("a"), [failed("log")]);
    await poll();
    await expect.poll(one.read, WAIT).toMatchObject({ heldReason: "no_new_commit" });
    const delay = sql<boolean>`not_before >= created_at + interval '30 seconds'`;
    const pushes = () =>
      db
        .selectFrom("notification_outbox")
        .select(["kind", delay.as("is_delayed")])
        .where("user_id", "=", bob.user.id)
        .execute();
    await expect.poll(pushes, WAIT).toEqual([{ kind: "checks_failed", is_delayed: true }]);
  });

  it("sends one round from two processes at the same time", async () => {
    const { services, database } = server;
    const second = await start({ ...services, database, host: "127.0.0.1", port: 0 });
    const one = await agent(() => undefined);
    one.hosted.checks.set(commit("a"), [failed("log")]);
    await one.report("working");
    await one.read();
    const target = await findPullTarget(db, one.of);
    const checked = await callProvider(services, "codehost", target.connection, (port) =>
      port.pullStatus(target.repo, 1),
    );
    await one.report("done");
    const processes = Array.from({ length: 8 }, (_, index) => (index % 2 ? services : second.services));
    await Promise.all(
      processes.map((each) => sendFailedChecks(each, target, checked, new Date().toISOString())),
    );
    await second.close();
    await poll();
    await expect.poll(one.read, WAIT).toMatchObject({ heldReason: "no_new_commit" });
    expect(one.rounds).toHaveLength(1);
  });
});
