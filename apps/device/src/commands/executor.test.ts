import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { CommandFailure } from "../errors";
import { OWNER_ID, Refusal } from "../testing/cloud";
import { command, startTestExecutor } from "../testing/executor";
import { silent } from "../testing/log";
import { startScript } from "../testing/process";
import type { ToolContext } from "../tool";
import { Journal } from "./journal";

/** Work that continues until the test ends it or it is aborted. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const work = ({ signal }: Pick<ToolContext, "signal">) =>
    Promise.race([
      opened,
      new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    ]);
  return { open, work };
}

it("work that ends quickly needs one completion, and no start", async () => {
  const { test, executor, journal, outbox } = await startTestExecutor({
    limits: { reportStartAfterMs: 60_000 },
  });
  const sent = command();
  executor.deliver(sent);
  expect(await test.called("agent.complete", sent.id)).toEqual({
    id: sent.id,
    journalId: journal.id,
    result: { projects: [] },
  });
  await outbox.empty();
  expect(test.calls.map(({ path }) => path)).toEqual(["agent.complete"]);
  expect(journal.all()).toEqual([]);
  expect(executor.open).toEqual({ running: [], waiting: [] });
});

it("work that takes a while reports its start, then its newest progress, then its end", async () => {
  const { open, work } = gate();
  const { test, executor } = await startTestExecutor({
    work: async (context) => {
      for (let n = 0; n < 1_000; n++) context.progress(`line ${n}`, n / 1_000);
      await work(context);
    },
  });
  const sent = command();
  executor.deliver(sent);
  expect(await test.called("agent.progress", sent.id)).toMatchObject({
    message: "line 999",
    fraction: 0.999,
  });
  expect(executor.open).toEqual({ running: [sent.id], waiting: [] });
  open();
  await test.called("agent.complete", sent.id);
  expect(test.count("agent.progress", sent.id)).toBe(1);
});

it("a command that is delivered several times runs once", async () => {
  const { open, work } = gate();
  const { test, executor, runs, outbox } = await startTestExecutor({ work });
  const sent = command();
  for (let n = 0; n < 5; n++) executor.deliver(sent);
  await test.called("agent.start", sent.id);
  executor.deliver(sent);
  open();
  await outbox.empty();
  await test.called("agent.complete", sent.id);
  await until(() => executor.open.running.length === 0);
  // A copy of the command that was in flight when its end was confirmed.
  executor.deliver(sent);
  expect(executor.open).toEqual({ running: [], waiting: [] });
  expect(runs.get(sent.id)).toBe(1);
});

it("an agent whose journal another one has taken reports no end: the other one recovers the command", async () => {
  const { test, executor, home, outbox, journal } = await startTestExecutor({
    work: async ({ note }) => {
      await (await Journal.open(join(home, "journal.jsonl"), silent)).close();
      await note("the next step");
    },
  });
  const sent = command();
  executor.deliver(sent);
  await until(() => journal.replaced.aborted && executor.open.running.length === 0);
  await outbox.empty();
  expect(test.count("agent.complete", sent.id)).toBe(0);
});

it("the end is reported until the API confirms it, and immediately when a copy of the command arrives", async () => {
  const { test, executor, journal, runs, outbox } = await startTestExecutor();
  let failures = 4;
  test.faults["agent.complete"] = () => {
    if (failures-- > 0) throw new Refusal(failures % 2 ? "SERVICE_UNAVAILABLE" : "UNAUTHORIZED");
  };
  const sent = command();
  executor.deliver(sent);
  await until(() => journal.get(sent.id)?.outcome);
  for (const count of [1, 2, 3, 4, 5]) {
    await until(() => test.count("agent.complete", sent.id) >= count);
    executor.deliver(sent);
  }
  await outbox.empty();
  expect(runs.get(sent.id)).toBe(1);
  expect(journal.all()).toEqual([]);
});

it.each([
  ["NOT_FOUND", undefined],
  ["CONFLICT", "journal_mismatch"],
] as const)("the API's %s (%s) ends the reporting too", async (code, reason) => {
  const { test, executor, outbox, journal } = await startTestExecutor();
  test.faults["agent.complete"] = () => {
    throw new Refusal(code, reason);
  };
  const sent = command();
  executor.deliver(sent);
  await test.called("agent.complete", sent.id);
  await outbox.empty();
  expect(journal.all()).toEqual([]);
});

it("any settled state confirms; an open one does not", async () => {
  const { test, executor, outbox } = await startTestExecutor();
  const [settled, open] = [command(), command()];
  test.statuses.set(settled.id, "timed_out");
  test.statuses.set(open.id, "queued");
  executor.deliver(settled);
  executor.deliver(open);
  await until(() => test.count("agent.complete", open.id) >= 2);
  expect(outbox.unconfirmed).toEqual([open.id]);
  expect(test.count("agent.complete", settled.id)).toBe(1);
  outbox.confirm([open.id]);
  await outbox.empty();
});

it("a result that the API refuses becomes a failure with that reason", async () => {
  const { test, executor, outbox } = await startTestExecutor();
  const sent = command();
  test.faults["agent.complete"] = () => {
    if (test.count("agent.complete", sent.id) === 1) throw new Refusal("BAD_REQUEST");
  };
  executor.deliver(sent);
  await outbox.empty().then(() => until(() => test.count("agent.complete", sent.id) === 2));
  expect(test.calls.at(-1)?.input.error.reason).toBe("result_refused");
});

it("a result that a proxy refuses for its size becomes a failure with that reason", async () => {
  const project = { id: randomUUID(), name: "x".repeat(30_000) } as never;
  const { test, executor } = await startTestExecutor({
    projects: [project],
    maxRequestBytes: 20_000,
  });
  const sent = command();
  executor.deliver(sent);
  expect((await test.called("agent.complete", sent.id)).error).toMatchObject({
    reason: "result_refused",
    message: expect.stringContaining("HTTP 413"),
  });
});

it("a tool's error is reported by its reason, without credentials", async () => {
  const errors = [
    new CommandFailure("no_commits", "Make a first commit."),
    new Error("cannot read https://user:hunter2@host/app"),
    Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }),
  ];
  const { test, executor } = await startTestExecutor({
    work: async () => {
      throw errors.shift();
    },
  });
  const reported = [];
  for (let n = 0; n < 3; n++) {
    const sent = command();
    executor.deliver(sent);
    reported.push((await test.called("agent.complete", sent.id)).error);
  }
  expect(reported.map(({ reason }) => reason)).toEqual(["no_commits", "device_error", "disk_full"]);
  expect(JSON.stringify(reported)).not.toContain("hunter2");
});

it("commands with an unknown tool or wrong parameters fail without being begun", async () => {
  const { test, executor, journal } = await startTestExecutor();
  const [unknown, wrong] = [command(undefined, undefined, "launch_rocket"), command()];
  executor.deliver(unknown);
  executor.deliver({ ...wrong, params: { search: 7 } });
  expect(journal.all()).toEqual([]);
  expect((await test.called("agent.complete", unknown.id)).error.reason).toBe("unsupported_tool");
  expect((await test.called("agent.complete", wrong.id)).error.reason).toBe("invalid_params");
});

it("a cancel ends the work and is reported as such, even for a command that never arrived", async () => {
  const { test, executor } = await startTestExecutor({ work: gate().work });
  const [sent, never] = [command(), randomUUID()];
  executor.deliver(sent);
  await test.called("agent.start", sent.id);
  executor.cancel(sent.id);
  expect(await test.called("agent.complete", sent.id)).toMatchObject({ canceled: true });
  executor.cancel(never);
  expect(await test.called("agent.complete", never)).toMatchObject({ canceled: true });
});

it("work that had ended before the cancellation arrived is reported with its own outcome", async () => {
  const { test, executor } = await startTestExecutor({ work: async () => executor.cancel(sent.id) });
  const sent = command();
  executor.deliver(sent);
  expect(await test.called("agent.complete", sent.id)).toMatchObject({ result: { projects: [] } });
});

it("a command that is ended while the disk still writes that it began does no work", async () => {
  const { test, executor, runs } = await startTestExecutor();
  const sent = command();
  executor.deliver(sent);
  // Everything that needs no disk is done by then; the disk answers in a later turn of the event loop.
  await new Promise(process.nextTick);
  executor.cancel(sent.id);
  expect(await test.called("agent.complete", sent.id)).toMatchObject({ canceled: true });
  expect(runs.size).toBe(0);
});

it("a command that runs out of time is ended by the device", async () => {
  const { test, executor } = await startTestExecutor({ work: gate().work });
  const sent = command(undefined, 50);
  executor.deliver(sent);
  expect((await test.called("agent.complete", sent.id)).error.reason).toBe("timed_out");
});

it.each(["given up by the API", "settled when its start is reported"])(
  "a command that was %s is ended",
  async (how) => {
    const { test, executor } = await startTestExecutor({ work: gate().work });
    const sent = command();
    if (how.startsWith("settled")) test.statuses.set(sent.id, "lost");
    executor.deliver(sent);
    await test.called("agent.start", sent.id);
    if (how.startsWith("given")) executor.giveUp([sent.id]);
    expect((await test.called("agent.complete", sent.id)).error.reason).toBe("given_up");
  },
);

it("an outcome is kept and reported until the API answers that report, even if it was settled in the meantime", async () => {
  const { work } = gate();
  const [ended, slow] = [command(), command()];
  const { test, executor, journal, outbox } = await startTestExecutor({
    work: async (context) => {
      if (context.commandId === slow.id) await work(context);
    },
  });
  test.faults["agent.complete"] = () => {
    throw new Refusal("SERVICE_UNAVAILABLE");
  };
  executor.deliver(ended);
  executor.deliver(slow);
  await test.called("agent.start", slow.id);
  await until(() => outbox.unconfirmed.length === 1);
  executor.settled([ended.id, slow.id]);
  expect(journal.get(ended.id)?.outcome).toEqual({ result: { projects: [] } });
  expect(outbox.unconfirmed).toContain(ended.id);
  const received: string[] = [];
  test.faults["agent.complete"] = undefined;
  test.afterwards["agent.complete"] = () => void received.push(test.calls.at(-1)?.input.id);
  // The API had given the command up; only its answer to the report counts as a confirmation.
  test.statuses.set(ended.id, "timed_out");
  executor.settled([ended.id]);
  await outbox.empty();
  expect(received).toContain(ended.id);
  expect(journal.all()).toEqual([]);
  expect((await test.called("agent.complete", slow.id)).error.reason).toBe("given_up");
});

it("a start that the API answers with `queued` is reported until it is `running`", async () => {
  const { open, work } = gate();
  const { test, executor } = await startTestExecutor({ work });
  const sent = command();
  // The sweeper has requeued the command before the start arrived.
  test.statuses.set(sent.id, "queued");
  executor.deliver(sent);
  await until(() => test.count("agent.start", sent.id) === 2);
  test.statuses.set(sent.id, "running");
  await until(() => test.count("agent.start", sent.id) === 3);
  test.statuses.delete(sent.id);
  open();
  await test.called("agent.complete", sent.id);
});

it("a command that is delivered again while it runs reports its start again", async () => {
  const { open, work } = gate();
  const { test, executor, runs } = await startTestExecutor({ work });
  const sent = command();
  executor.deliver(sent);
  await until(() => test.count("agent.start", sent.id) === 1);
  executor.deliver(sent);
  await until(() => test.count("agent.start", sent.id) === 2);
  open();
  await test.called("agent.complete", sent.id);
  expect(runs.get(sent.id)).toBe(1);
});

it("a limited number runs at a time; a waiting command is acknowledged, not begun, and can be canceled", async () => {
  const { open, work } = gate();
  const { test, executor, journal, runs } = await startTestExecutor({ work, limits: { concurrency: 2 } });
  const sent = [command(), command(), command(), command()];
  for (const one of sent) executor.deliver(one);
  const [first, , waiting, canceled] = sent.map(({ id }) => id);
  expect(await test.called("agent.progress", waiting)).toMatchObject({
    waiting: true,
    message: expect.stringContaining("Waiting for a free slot"),
  });
  expect(journal.all()).toHaveLength(2);
  expect(executor.open).toEqual({
    running: sent.slice(0, 2).map(({ id }) => id),
    waiting: sent.slice(2).map(({ id }) => id),
  });
  executor.cancel(canceled ?? "");
  expect(await test.called("agent.complete", canceled)).toMatchObject({ canceled: true });
  open();
  await test.called("agent.complete", waiting);
  expect(runs.get(first ?? "")).toBe(1);
  expect(runs.has(canceled ?? "")).toBe(false);
});

it("a command's time-out runs from its slot on, not while it waits", async () => {
  const [first, second] = [gate(), gate()];
  const works = [first.work, second.work];
  const { test, executor, runs } = await startTestExecutor({
    work: (context) => works.shift()?.(context) ?? Promise.resolve(),
    // The start is reported later than the work may take.
    limits: { concurrency: 1, reportStartAfterMs: 2_100 },
  });
  const [long, waiting] = [command(), command(undefined, 2_000)];
  executor.deliver(long);
  executor.deliver(waiting);
  await test.called("agent.progress", waiting.id);
  first.open();
  await until(() => runs.has(waiting.id));
  second.open();
  expect(await test.called("agent.complete", waiting.id)).toMatchObject({ result: { projects: [] } });
});

it("a command that has no slot in time expires, and nothing is begun", async () => {
  const { open, work } = gate();
  const { test, executor, runs } = await startTestExecutor({ work, limits: { concurrency: 1 } });
  const [running, expired] = [command(), command(undefined, 60_000, "list_projects", 50)];
  // Longer than a timer can be.
  const patient = command(undefined, 60_000, "list_projects", 30 * 86_400_000);
  for (const sent of [running, patient, expired]) executor.deliver(sent);
  expect(await test.called("agent.complete", expired.id)).toMatchObject({
    error: { reason: "queue_expired", message: expect.stringContaining("Nothing was begun") },
  });
  open();
  await test.called("agent.complete", patient.id);
  expect(runs.has(expired.id)).toBe(false);
});

it("a waiting command that the API gives up reports that nothing was begun", async () => {
  const { open, work } = gate();
  const { test, executor } = await startTestExecutor({ work, limits: { concurrency: 1 } });
  const [running, waiting] = [command(), command()];
  executor.deliver(running);
  executor.deliver(waiting);
  await test.called("agent.progress", waiting.id);
  executor.giveUp([running.id, waiting.id]);
  expect((await test.called("agent.complete", waiting.id)).error.message).toMatch(/nothing was begun/);
  expect((await test.called("agent.complete", running.id)).error.message).not.toMatch(/nothing was begun/);
  open();
});

it("a waiting command that is sent again is reported again", async () => {
  const { open, work } = gate();
  const { test, executor } = await startTestExecutor({ work, limits: { concurrency: 1 } });
  const waiting = command();
  executor.deliver(command());
  executor.deliver(waiting);
  await test.called("agent.progress", waiting.id);
  executor.deliver(waiting);
  await until(() => test.count("agent.progress", waiting.id) === 2);
  expect(test.count("agent.start", waiting.id)).toBe(0);
  open();
});

it("a start that cannot be reported is reported later, and does not hold up the work", async () => {
  const { open, work } = gate();
  const { test, executor } = await startTestExecutor({ work });
  const sent = command();
  test.faults["agent.start"] = () => {
    if (test.count("agent.start", sent.id) < 3) throw new Refusal("INTERNAL_SERVER_ERROR");
  };
  executor.deliver(sent);
  await until(() => test.count("agent.start", sent.id) === 3);
  open();
  await test.called("agent.complete", sent.id);
});

it("a stop ends running commands, reports them, and leaves those not begun to the next process", async () => {
  const { test, executor, runs } = await startTestExecutor({ work: gate().work, limits: { concurrency: 1 } });
  const [running, waiting] = [command(), command()];
  executor.deliver(running);
  executor.deliver(waiting);
  await until(() => runs.has(running.id));
  await executor.stop();
  expect((await test.called("agent.complete", running.id)).error).toMatchObject({
    reason: "interrupted",
    message: expect.stringContaining("stopped"),
  });
  executor.deliver(command());
  // The API has the report, but its confirmation may still be on its way.
  await until(() => executor.open.running.length === 0);
  expect(test.count("agent.complete", waiting.id)).toBe(0);
});

it("a process that starts on a journal reports commands that ended, and recovers those that did not", async () => {
  const earlier = await startTestExecutor();
  const { test, home } = earlier;
  const [ended, begun] = [randomUUID(), randomUUID()];
  await earlier.journal.begin(ended, "list_projects");
  await earlier.journal.finish(ended, { result: { projects: [] } });
  await earlier.journal.begin(begun, "create_workspace");
  await earlier.journal.note(begun, { path: "/x" });

  const notes: unknown[] = [];
  const recover = async (noted: readonly unknown[]) => {
    notes.push(...noted);
    return "Nothing stands.";
  };
  const { executor, outbox } = await startTestExecutor({ home, test, recover });
  executor.resume();
  executor.deliver(command(begun, 60_000, "create_workspace"));
  expect(await test.called("agent.complete", ended)).toMatchObject({ result: { projects: [] } });
  expect((await test.called("agent.complete", begun)).error).toEqual({
    reason: "interrupted",
    message: "grove-device ended while this command ran. Nothing stands.",
  });
  expect(notes).toEqual([{ path: "/x" }]);
  await outbox.empty();
});

it("a cancel does not end a recovery, so that its result is reported; the agent's own end does", async () => {
  const earlier = await startTestExecutor();
  const { test, home } = earlier;
  const [canceled, stopped] = [randomUUID(), randomUUID()];
  for (const id of [canceled, stopped]) await earlier.journal.begin(id, "create_workspace");
  await earlier.journal.note(canceled, "canceled");
  const { open, work } = gate();
  const recover = async (notes: readonly unknown[], { signal }: Pick<ToolContext, "signal">) => {
    await (notes.length > 0 ? work({ signal }) : gate().work({ signal }));
    return "It stands.";
  };
  const { executor } = await startTestExecutor({ home, test, recover });
  executor.resume();
  executor.cancel(canceled);
  executor.giveUp([canceled]);
  open();
  expect((await test.called("agent.complete", canceled)).error).toEqual({
    reason: "interrupted",
    message: "grove-device ended while this command ran. It stands.",
  });
  await executor.stop();
  expect(test.count("agent.complete", stopped)).toBe(0);
});

it("kill -9 while commands run: those begun are interrupted, never run again; the others run", async () => {
  const { test, home, journal } = await startTestExecutor();
  await journal.close();
  const script = new URL("../testing/executorProcess.ts", import.meta.url);
  const { program, lines } = startScript(script, [test.url, home]);
  const begun = (await lines.next()).value?.split(" ")[1] ?? "";
  await program.end();

  const next = await startTestExecutor({ home, test });
  next.executor.resume();
  const fresh = command();
  next.executor.deliver(command(begun));
  next.executor.deliver(fresh);
  expect((await test.called("agent.complete", begun)).error.reason).toBe("interrupted");
  expect(await test.called("agent.complete", fresh.id)).toMatchObject({ result: { projects: [] } });
  expect(next.runs.has(begun)).toBe(false);
  await next.outbox.empty();
});

it("a begin that the disk refuses is reported, and no work is done", async () => {
  const { test, executor, journal, runs } = await startTestExecutor();
  await journal.close();
  const sent = command();
  executor.deliver(sent);
  expect((await test.called("agent.complete", sent.id)).error).toMatchObject({
    reason: "journal_failed",
    message: expect.stringContaining("nothing was begun"),
  });
  expect(runs.size).toBe(0);
});

it("a command for another device is ignored", async () => {
  const { test, executor, journal, runs } = await startTestExecutor();
  const [theirs, ours] = [command(), command()];
  executor.deliver({ ...theirs, deviceId: randomUUID() });
  executor.deliver(ours);
  await test.called("agent.complete", ours.id);
  expect([...runs.keys()]).toEqual([ours.id]);
  expect(journal.get(theirs.id)).toBeUndefined();
  expect(test.calls.some(({ input }) => input?.id === theirs.id)).toBe(false);
});

it("a tool gets the requester, and whether the API names them as the device's owner", async () => {
  const asked: [string | null, boolean][] = [];
  const { test, executor } = await startTestExecutor({
    work: async ({ requester }) => void asked.push([requester.id, await requester.isOwner()]),
  });
  const other = randomUUID();
  for (const requestedBy of [OWNER_ID, other, null]) {
    const sent = { ...command(), requestedBy };
    executor.deliver(sent);
    await test.called("agent.complete", sent.id);
  }
  expect(asked).toEqual([
    [OWNER_ID, true],
    [other, false],
    [null, false],
  ]);
  expect(test.count("device.self")).toBe(1);
});

it("a command that is sent again after its end was confirmed is not run again", async () => {
  const earlier = await startTestExecutor();
  const { test, home } = earlier;
  const [copy, forgotten] = [command(), command()];
  for (const one of [copy, forgotten]) earlier.executor.deliver(one);
  await until(() => test.statuses.size === 2);
  await earlier.outbox.empty();
  await earlier.journal.close();

  const { executor, runs, outbox } = await startTestExecutor({ home, test });
  // The database was restored, so it no longer has the end of one of the commands.
  test.statuses.delete(forgotten.id);
  executor.deliver(copy);
  executor.deliver(forgotten);
  await until(() => test.count("agent.complete", forgotten.id) === 2);
  expect(test.calls.at(-1)?.input.error).toMatchObject({ reason: "already_done" });
  await until(() => test.count("agent.start", copy.id) === 1);
  await outbox.empty();
  expect(test.count("agent.complete", copy.id)).toBe(1);
  expect(runs.size).toBe(0);
});
