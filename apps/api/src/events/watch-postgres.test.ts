import { type TaskEvent, taskEvent } from "@grove/schemas";
import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";
import { watch } from "../testing/watch";
import { recordEvent } from "./record";

const server = await useTestServer();
const { db } = server.database;

const changed: TaskEvent = { type: "statuses_changed" };

it("a transaction that began first and commits last is the last event, and no watcher misses it", async () => {
  const { organizationId, client } = await server.signUp();
  const watcher = watch((handlers) => client.task.watch.subscribe({ organizationId }, handlers));
  await watcher.ready();
  let commit = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  // This transaction has changed a row but not recorded the event yet; another change overtakes it.
  const slow = db.transaction().execute(async (trx) => {
    await trx.updateTable("organizations").set({ name: "Slow" }).where("id", "=", organizationId).execute();
    begin();
    await held;
    await recordEvent(trx, { organizationId, topic: "task" }, changed);
  });
  await begun;
  const quick = await client.task.create.mutate({ organizationId, title: "quick" });
  const seen = await watcher.event(({ type }) => type === "created");
  watcher.stop();
  commit();
  await slow;
  const resumed = watch((handlers) =>
    client.task.watch.subscribe({ organizationId, lastEventId: seen.id }, handlers),
  );
  await resumed.ready();
  expect(resumed.events.map(({ data }) => data.type)).toEqual(["statuses_changed", "ready"]);
  expect(taskEvent.parse(seen.data)).toMatchObject({ type: "created", task: { id: quick.id } });
  resumed.stop();
});

it("an event that is recorded and not committed holds up later ones, so that none is passed over", async () => {
  const { organizationId, client } = await server.signUp();
  const watcher = watch((handlers) => client.task.watch.subscribe({ organizationId }, handlers));
  await watcher.ready();
  let commit = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let record = () => {};
  const recorded = new Promise<void>((resolve) => {
    record = resolve;
  });
  const slow = db.transaction().execute(async (trx) => {
    await recordEvent(trx, { organizationId, topic: "task" }, changed);
    record();
    await held;
  });
  await recorded;
  const creating = client.task.create.mutate({ organizationId, title: "later" });
  const seesIt = await client.task.list.query({ organizationId });
  commit();
  await Promise.all([slow, creating]);
  await watcher.event(({ type }) => type === "created");
  expect(seesIt).toEqual([]);
  expect(watcher.events.map(({ id, data }) => `${id} ${data.type}`)).toEqual([
    "0 ready",
    "1 statuses_changed",
    "2 created",
  ]);
  watcher.stop();
});

it("a watcher that is cut again and again sees each of many concurrent events once, in order", async () => {
  const { organizationId, client } = await server.signUp();
  const count = 60;
  const titles = Array.from({ length: count }, (_, n) => `task ${n}`);
  const creating = Promise.all(
    titles.map((title) => client.task.create.mutate({ organizationId, title })),
  ).then(() => client.task.create.mutate({ organizationId, title: "end" }));
  const seen: string[] = [];
  let lastEventId = "0";
  while (seen.at(-1) !== "end") {
    const watcher = watch((handlers) =>
      client.task.watch.subscribe({ organizationId, lastEventId }, handlers),
    );
    const next = await watcher.event(({ type }) => type === "created");
    watcher.stop();
    for (const { id, data } of watcher.events) {
      const event = taskEvent.parse(data);
      if (event.type === "created") seen.push(event.task.title);
      lastEventId = id;
    }
    expect(next.data.type).toBe("created");
  }
  await creating;
  expect(seen).toHaveLength(count + 1);
  expect(seen.toSorted()).toEqual([...titles, "end"].toSorted());
});
