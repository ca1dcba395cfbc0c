import type { Task } from "@grove/schemas";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { failure, useTestServer } from "../../testing/server";
import { watch } from "../../testing/watch";

const server = await useTestServer();
const eve = await server.signUp("Eve");
const { db } = server.database;

/** A person whose organization has tasks with these titles, the last one first. */
async function personWith(...titles: string[]) {
  const { client, organizationId } = await server.signUp("Ada");
  const made = new Map<string, Task>();
  for (const title of titles)
    made.set(title, await client.task.create.mutate({ organizationId, title, status: "todo" }));
  const id = (title: string) => made.get(title)?.id ?? "";
  const list = (page: object = {}) => client.task.list.query({ organizationId, order: "rank", ...page });
  return {
    client,
    organizationId,
    id,
    list,
    order: async () => (await list()).map(({ title }) => title).join(""),
    move: (title: string, place: { status?: string; before?: string; after?: string } = {}) =>
      client.task.move.mutate({ organizationId, id: id(title), ...place }),
  };
}

it("puts a task before another, after another, or first, and a new one before all", async () => {
  const { client, organizationId, id, order, move, list } = await personWith("a", "b", "c", "d");
  expect(await order()).toBe("dcba");
  await move("a", { before: id("c") });
  expect(await order()).toBe("dacb");
  await move("d", { after: id("b") });
  expect(await order()).toBe("acbd");
  await move("b");
  expect(await order()).toBe("bacd");
  await move("d", { before: "b" });
  await move("d", { before: id("d") });
  expect(await order()).toBe("dbac");
  await client.task.create.mutate({ organizationId, title: "e" });
  expect(await order()).toBe("edbac");
  const [first, second] = await list({ limit: 2 });
  expect(first && second && first.rank > second.rank).toBe(true);
  expect((await list({ limit: 2, after: second?.id })).map(({ title }) => title)).toEqual(["b", "a"]);
});

it("changes the status as an update does, and announces the change", async () => {
  const { client, organizationId, move, id } = await personWith("a", "b");
  const watcher = watch((handlers) => client.task.watch.subscribe({ organizationId }, handlers));
  await watcher.ready();
  const started = await move("a", { status: "in_progress", before: id("b") });
  expect(started).toMatchObject({ statusType: "started", startedAt: started.updatedAt });
  expect((await watcher.event(({ type }) => type === "updated")).data).toEqual({
    type: "updated",
    task: started,
  });
  watcher.stop();
  const done = await move("a", { status: "done" });
  expect(done).toMatchObject({ startedAt: started.startedAt, completedAt: done.updatedAt });
});

it("refuses tasks and statuses of other organizations, and changes nothing", async () => {
  const { client, organizationId, id, order, move } = await personWith("a", "b");
  const theirs = await eve.client.task.create.mutate({
    organizationId: eve.organizationId,
    title: "theirs",
  });
  for (const place of [{ before: theirs.id }, { after: theirs.slug }])
    expect(await failure(move("a", place))).toMatchObject({ code: "NOT_FOUND" });
  expect(await failure(move("a", { status: "nowhere" }))).toMatchObject({ reason: "unknown_status" });
  expect(await failure(move("a", { before: id("b"), after: id("b") }))).toMatchObject({
    code: "BAD_REQUEST",
  });
  await client.task.delete.mutate({ organizationId, id: id("b") });
  expect(await failure(move("a", { before: id("b") }))).toMatchObject({ code: "NOT_FOUND" });
  expect(await failure(move("b"))).toMatchObject({ code: "NOT_FOUND" });
  await client.task.restore.mutate({ organizationId, id: id("b") });
  expect(await order()).toBe("ba");
});

it("lets many people put tasks into the same place at the same time", async () => {
  const { id, move, order } = await personWith("z", "a", "1", "2", "3", "4", "5", "6");
  await Promise.all([
    ...["1", "2", "3"].map((title) => move(title, { after: id("a") })),
    ...["4", "5", "6"].map((title) => move(title, { before: id("z") })),
  ]);
  expect(await order()).toMatch(/^a[1-6]{6}z$/);
  expect(new Set(await order()).size).toBe(8);
});

it("keeps the place of a deleted task, even if another task was put there in the meantime", async () => {
  const { client, organizationId, id, order, move } = await personWith("a", "b", "c", "d");
  await move("d", { after: id("b") });
  await client.task.delete.mutate({ organizationId, id: id("d") });
  await move("c", { after: id("b") });
  await client.task.restore.mutate({ organizationId, id: id("d") });
  expect(await order()).toBe("bcda");
});

it("spreads neighbouring ranks where a rank would become long, without changing the order of the others", async () => {
  const { client, organizationId, id, order, move, list } = await personWith("a", "b", "c", "d", "e");
  const long = (end: string) => `00${"8".repeat(97)}${end}`;
  for (const [title, end] of [
    ["b", "2"],
    ["c", "3"],
  ] as const)
    await sql`update tasks set rank = ${long(end)} where id = ${id(title)}`.execute(db);
  expect(await order()).toBe("edacb");
  const watcher = watch((handlers) => client.task.watch.subscribe({ organizationId }, handlers));
  await watcher.ready();
  await move("e", { after: id("c") });
  expect(await order()).toBe("daceb");
  expect((await list()).map(({ rank }) => rank.length).filter((length) => length > 40)).toEqual([]);
  await watcher.event(({ type }) => type === "tasks_changed");
  watcher.stop();
});

it("counts the tasks of each status, of a filter or of all", async () => {
  const { client, organizationId, id, move } = await personWith("a", "b", "c");
  await move("a", { status: "done" });
  await client.task.update.mutate({ organizationId, id: id("b"), labels: ["api"] });
  const count = async (filter: object = {}) =>
    Object.fromEntries(
      (await client.task.countByStatus.query({ organizationId, ...filter })).map(({ status, total }) => [
        ...[status, total],
      ]),
    );
  expect(await count()).toEqual({ todo: 2, done: 1 });
  expect(await count({ labels: ["api"] })).toEqual({ todo: 1 });
  expect(await count({ status: "completed" })).toEqual({ done: 1 });
  expect(await count({ status: "nowhere" })).toEqual({});
});
