import { newId } from "@grove/db";
import type { HeldReason } from "@grove/schemas";
import { afterAll, expect, it } from "vitest";
import { gateRun, useGateMachines } from "../../changes/testing";
import { useReceiver } from "../../notifications/testing";
import { start } from "../../server";
import { useTestServer } from "../../testing/server";

const receiver = await useReceiver();
const server = await useTestServer({
  integrations: { privateHosts: [receiver.host] },
  pullPolling: { checkingMs: 50, activeMs: 50, idleMs: 50 },
});
const ada = await server.signUp("Ada");
const { organizationId, client } = ada;
const { machine } = useGateMachines(server, ada);
await client.user.setNotificationRules.mutate({
  organizationId,
  rules: [
    {
      channel: "webhook",
      kinds: ["checks_failed"],
      timeZone: "UTC",
      target: { url: `${receiver.url}/ada`, secret: "s".repeat(16) },
    },
  ],
});
/** The titles of the notifications of its session. */
const titlesOf = ({ sessionId }: { sessionId: string }) =>
  receiver
    .at("/ada")
    .map(({ body }) => JSON.parse(`${body}`) as { title: string; url: string })
    .filter(({ url }) => url.endsWith(`/agents/${sessionId}`))
    .map(({ title }) => title);

// A second process, which may send the same rounds.
const second = await start({ ...server.services, database: server.database, host: "127.0.0.1", port: 0 });
afterAll(() => second.close());

type Machine = Awaited<ReturnType<typeof machine>>;
const WAIT = { timeout: 15_000 };

/** The agent finishes, and the gate ends. */
async function finishAndRun(one: Machine, run: ReturnType<typeof gateRun>) {
  const before = one.commands.length;
  await one.report("working");
  await one.finish();
  await expect.poll(() => one.commands).toHaveLength(before + 1);
  await one.end(run);
  await one.report("done");
}

/** Waits until a person must act, and was notified once. */
async function expectHeld(one: Machine, heldReason: HeldReason) {
  await expect
    .poll(one.read, WAIT)
    .toMatchObject({ workState: "checks_failed", gate: { state: "failed", heldReason } });
  await expect.poll(() => titlesOf(one), WAIT).toHaveLength(1);
}

it("sends a failure to the agent once, without the project's secrets, until the gate passes", async () => {
  const one = await machine();
  const value = "hunter2hunter2";
  await client.project.setSecret.mutate({ organizationId, projectId: one.projectId, key: "DEPLOY", value });
  await finishAndRun(one, gateRun("failed", { output: `key ${value}\nexpected 1 to be 2\n` }));
  await expect.poll(() => one.rounds, WAIT).toHaveLength(1);
  expect(one.rounds).toEqual([
    {
      id: expect.any(String),
      kind: "gate",
      number: 1,
      of: 2,
      change: "work",
      head: "a".repeat(40),
      more: 0,
      failed: [{ name: ".grove/check", url: null, excerpt: "key [redacted]\nexpected 1 to be 2" }],
    },
  ]);
  expect(await one.read()).toMatchObject({ workState: "changes_requested", finishedAt: null });
  await finishAndRun(one, gateRun("passed", { files: "b" }));
  expect(await one.read()).toMatchObject({ workState: "ready", gate: { state: "passed", heldReason: null } });
  const { rounds } = await client.workspace.review.list.query(one.of);
  expect(rounds).toMatchObject([{ kind: "gate", byUserId: null, status: "delivered" }]);
  expect(titlesOf(one)).toEqual([]);
});

it("waits for an agent that asks", async () => {
  const one = await machine();
  await one.report("working");
  await one.finish();
  await expect.poll(() => one.commands).toHaveLength(1);
  await one.report("needs_permission");
  await one.end(gateRun("failed", { output: "error" }));
  // By the time that a round has reached another agent:
  const other = await machine();
  await finishAndRun(other, gateRun("failed", { output: "error" }));
  await expect.poll(() => other.rounds, WAIT).toHaveLength(1);
  expect(one.rounds).toEqual([]);
  await one.report("done");
  await expect.poll(() => one.rounds, WAIT).toHaveLength(1);
});

it("stops after two rounds with new errors, and notifies a person once", async () => {
  const one = await machine();
  await finishAndRun(one, gateRun("failed", { output: "the first error", files: "a" }));
  await expect.poll(() => one.rounds, WAIT).toHaveLength(1);
  await finishAndRun(one, gateRun("failed", { output: "the second error", files: "b" }));
  await expect.poll(() => one.rounds, WAIT).toHaveLength(2);
  await finishAndRun(one, gateRun("failed", { output: "the third error", files: "c" }));
  await expectHeld(one, "spent");
  expect(titlesOf(one).at(-1)).toBe("Checks failed in login-form");
  expect(one.rounds.map(({ number, of }) => [number, of])).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

it("sends the same error, or a failure of the same files, once", async () => {
  const one = await machine({ maxRounds: 5 });
  await finishAndRun(one, gateRun("failed", { output: "timeout after 951 ms", files: "a" }));
  await expect.poll(() => one.rounds, WAIT).toHaveLength(1);
  await finishAndRun(one, gateRun("failed", { output: "timeout after 1012 ms", files: "b" }));
  await expectHeld(one, "same_failure");
  const other = await machine({ maxRounds: 5 });
  await finishAndRun(other, gateRun("failed", { output: "error", files: "a" }));
  await expect.poll(() => other.rounds, WAIT).toHaveLength(1);
  await finishAndRun(other, gateRun("failed", { output: "error", files: "a" }));
  await expectHeld(other, "same_failure");
  // The agent finishes once more, with the same files.
  await finishAndRun(other, gateRun("failed", { output: "error", files: "a" }));
  await expectHeld(other, "same_failure");
  expect([one.rounds, other.rounds].map((rounds) => rounds.length)).toEqual([1, 1]);
});

it("notifies a person if the agent's turn ends without a report, until it works again", async () => {
  const one = await machine();
  await finishAndRun(one, gateRun("failed", { output: "error" }));
  await expect.poll(() => one.rounds, WAIT).toHaveLength(1);
  await one.report("working");
  await one.report("done");
  await expectHeld(one, "not_finished");
  await one.report("working");
  expect(await one.read()).toMatchObject({ workState: "working" });
});

it("leaves a failure to a person with no rounds", async () => {
  const off = await machine({ maxRounds: 0 });
  await finishAndRun(off, gateRun("failed", { output: "error" }));
  await expectHeld(off, "off");
  expect(off.rounds).toEqual([]);
});

it("sends nothing of a gate that a person has started", async () => {
  const one = await machine({ gateOnFinish: false });
  await one.report("done");
  const { workspaceId } = one;
  const run = client.workspace.change.runGate.mutate({
    organizationId,
    workspaceId,
    idempotencyKey: newId(),
  });
  await expect.poll(() => one.commands).toHaveLength(1);
  await one.end(gateRun("failed", { output: "error" }));
  await run;
  // By the time that a round has reached another agent:
  const other = await machine();
  await finishAndRun(other, gateRun("failed", { output: "error" }));
  await expect.poll(() => other.rounds, WAIT).toHaveLength(1);
  expect(one.rounds).toEqual([]);
  expect(await one.read()).toMatchObject({ gate: { state: "failed", heldReason: null } });
  expect(titlesOf(one)).toEqual([]);
});
