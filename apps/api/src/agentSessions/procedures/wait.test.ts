import { newId } from "@grove/db";
import type { SessionWait } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { addMember, projectFields } from "../../testing/fixtures";
import { useOwnDevices } from "../../testing/ownDevices";
import { failure, useTestServer } from "../../testing/server";
import { stateReporter } from "../../testing/stateReporter";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const eve = await server.signUp("Eve");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { online } = useOwnDevices(server, ada);

/** Begins sessions on one device. */
async function sessions(count: number) {
  const { device } = await online();
  const workspace = { id: newId(), name: "tree", type: "worktree" as const, config: {} };
  await device.client.workspace.ensure.mutate({ organizationId, project: projectFields(), workspace });
  const { reportSession } = device.client.agent;
  const begin = async () => {
    const id = newId();
    const { journalId } = device;
    await reportSession.mutate({ type: "start", id, journalId, workspaceId: workspace.id, agent: "claude" });
    const state = stateReporter(device, id);
    const waiting = (waitingForInput: boolean) =>
      reportSession.mutate({ type: "waiting", id, waitingForInput });
    const output = (data: string) => reportSession.mutate({ type: "output", id, sequence: 1, data });
    const end = () => reportSession.mutate({ type: "end", id, status: "exited", exitCode: 0 });
    return { id, state, waiting, output, end };
  };
  return Promise.all(Array.from({ length: count }, begin));
}

const wait = (of: readonly { id: string }[], until: SessionWait, { waitMs = 50_000, by = ada } = {}) =>
  by.client.agent.waitForSessions.query({ organizationId, ids: of.map(({ id }) => id), until, waitMs });

describe("agent.waitForSessions", () => {
  it("wakes every waiter by the change of one session, and returns all sessions in the order of their ids", async () => {
    const [first, second] = await sessions(2);
    if (!first || !second) throw new Error("no sessions");
    await first.state("working");
    await second.state("working");
    const waiters = [wait([first, second], "attention"), wait([second, first], "turn", { by: bob })];
    await second.state("needs_permission", { detail: "Bash: ls" });
    const [adas, bobs] = await Promise.all(waiters);
    expect(adas).toMatchObject([
      { id: first.id, activity: { state: "working" } },
      { id: second.id, activity: { state: "needs_permission", source: "hook", detail: "Bash: ls" } },
    ]);
    // As in lists, the text of the question is only for members who may read the output.
    expect(bobs).toMatchObject([
      { id: second.id, activity: { state: "needs_permission", detail: null } },
      { id: first.id, activity: { state: "working" } },
    ]);
  });

  it("waits for the end of a turn only until `turn`", async () => {
    const [session] = await sessions(1);
    if (!session) throw new Error("no session");
    await session.state("working");
    const turn = wait([session], "turn");
    // Called through another client: the stock client sends calls of the same tick as one batch.
    const attention = wait([session], "attention", { by: bob });
    await session.output("thinking");
    await session.state("done");
    expect(await turn).toMatchObject([{ activity: { state: "done" } }]);
    const limitedUntil = "2030-01-01T00:00:00.000Z";
    await session.state("limited", { limitedUntil });
    expect(await attention).toMatchObject([{ activity: { state: "limited", limitedUntil } }]);
  });

  it("trusts the silence of a terminal only where the agent does not report by hooks", async () => {
    const [silent, reporting] = await sessions(2);
    if (!silent || !reporting) throw new Error("no sessions");
    await reporting.state("working");
    const waiting = wait([reporting, silent], "attention");
    await reporting.waiting(true);
    await silent.waiting(true);
    expect(await waiting).toMatchObject([
      { waitingForInput: true, activity: { state: "working" } },
      { waitingForInput: true, activity: null },
    ]);
  });

  it("ends when the session ends, for any condition", async () => {
    for (const until of ["attention", "turn", "end"] as const) {
      const [session, other] = await sessions(2);
      if (!session || !other) throw new Error("no sessions");
      await session.state("working");
      const waiting = wait([other, session], until);
      await session.end();
      expect(await waiting).toMatchObject([{ status: "running" }, { status: "exited", activity: null }]);
    }
  });

  it("returns immediately if a session meets the condition before the call", async () => {
    const [asking, done, ended] = await sessions(3);
    if (!asking || !done || !ended) throw new Error("no sessions");
    await asking.state("needs_answer");
    await done.state("done");
    await ended.end();
    expect(await wait([asking], "attention")).toMatchObject([{ activity: { state: "needs_answer" } }]);
    expect(await wait([done], "turn")).toMatchObject([{ activity: { state: "done" } }]);
    expect(await wait([done, ended], "end")).toMatchObject([{ status: "running" }, { status: "exited" }]);
  });

  it("returns the current states when the time is up", async () => {
    const [session] = await sessions(1);
    if (!session) throw new Error("no session");
    await session.state("needs_permission");
    for (const waitMs of [0, 50])
      expect(await wait([session], "end", { waitMs })).toMatchObject([{ status: "running" }]);
  });

  it("finds no session that does not exist or is another organization's, and takes at most 20", async () => {
    const [session] = await sessions(1);
    if (!session) throw new Error("no session");
    expect(await failure(wait([session, { id: newId() }], "end"))).toMatchObject({ code: "NOT_FOUND" });
    const elsewhere = { organizationId: eve.organizationId, ids: [session.id], until: "end" as const };
    expect(await failure(eve.client.agent.waitForSessions.query(elsewhere))).toMatchObject({
      code: "NOT_FOUND",
    });
    const many = Array.from({ length: 21 }, () => session);
    expect(await failure(wait(many, "end"))).toMatchObject({ code: "BAD_REQUEST" });
  });
});

it("agent.getSession waits until an agent with hooks waits for a person, or its turn has ended", async () => {
  const [session] = await sessions(1);
  if (!session) throw new Error("no session");
  const get = () => ada.client.agent.getSession.query({ organizationId, id: session.id, waitMs: 50_000 });
  await session.state("working");
  await session.waiting(true);
  const first = get();
  await session.state("done");
  expect((await first).activity?.state).toBe("done");
  await session.state("working");
  const second = get();
  await session.state("failed");
  expect((await second).activity?.state).toBe("failed");
});
