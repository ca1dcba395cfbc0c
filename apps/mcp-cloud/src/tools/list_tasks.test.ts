import type { Tenant } from "@grove/test-api";
import { beforeAll, expect, it } from "vitest";
import { anyId, ask, newTenant } from "../testing/tool";

let ada: Tenant;
beforeAll(async () => {
  ada = await newTenant();
  const { organizationId, client, userId } = ada;
  const create = (title: string, more: object = {}) =>
    client.task.create.mutate({ organizationId, title, ...more });
  await create("one", { status: "todo", priority: "high", labels: ["a", "b"], assigneeId: userId });
  await create("two", { status: "in_progress", labels: ["a"], description: "x".repeat(301) });
  await create("three", { status: "in_review", description: "short" });
  await client.task.update.mutate({ organizationId, id: "one", branch: "fix/one" });
});

const list = async (args: Record<string, unknown> = {}) => {
  const { data, text } = await ask(ada, "list_tasks", args);
  const tasks = (data?.tasks ?? []) as { id: string; title: string; truncated: boolean }[];
  return { titles: tasks.map(({ title }) => title), tasks, data, text };
};

it("lists newest first, with descriptions cut", async () => {
  const { titles, tasks, data } = await list();
  expect(titles).toEqual(["three", "two", "one"]);
  expect(tasks.map(({ truncated }) => truncated)).toEqual([false, true, false]);
  expect(data).toMatchObject({ total: 3, next: null });
});

it("filters by each of its inputs", async () => {
  expect((await list({ status: "started" })).titles).toEqual(["three", "two"]);
  expect((await list({ status: "todo" })).titles).toEqual(["one"]);
  expect((await list({ assignee: "me" })).titles).toEqual(["one"]);
  expect((await list({ assignee: ada.email })).titles).toEqual(["one"]);
  expect((await list({ assignee: "nobody" })).titles).toEqual(["three", "two"]);
  expect((await list({ branch: "fix/one" })).titles).toEqual(["one"]);
  expect((await list({ projectId: anyId })).titles).toEqual([]);
  expect((await list({ priority: "high" })).titles).toEqual(["one"]);
  expect((await list({ labels: ["a", "b"] })).titles).toEqual(["one"]);
  expect((await list({ search: "SHORT" })).titles).toEqual(["three"]);
  expect((await list({ status: "completed" })).data).toEqual({ tasks: [], total: 0, next: null });
});

it("pages, and reports the total of all pages", async () => {
  const first = await list({ limit: 2 });
  expect(first.data).toMatchObject({ total: 3, next: first.tasks[1]?.id });
  const second = await list({ limit: 2, after: first.data?.next });
  expect(second.titles).toEqual(["one"]);
  expect(second.data).toMatchObject({ total: 3, next: null });
  expect((await list({ limit: 3 })).data).toMatchObject({ next: null });
  expect((await list({ after: anyId })).text).toMatch(/^cursor_gone: /);
});

it("reports an unknown status instead of an empty list", async () => {
  expect((await list({ status: "open" })).text).toBe(
    'unknown_status: There is no status or status type "open". ' +
      "The statuses are: backlog, todo, in_progress, in_review, done, canceled.",
  );
});

it("shows nothing of another organization", async () => {
  const eve = await newTenant("eve");
  expect((await ask(eve, "list_tasks")).data).toEqual({ tasks: [], total: 0, next: null });
});

it("continues after a page that large tasks have cut short", async () => {
  const eve = await newTenant("eve");
  const { organizationId, client } = eve;
  // 150 kB each, of which 4 MiB hold 28.
  const description = "€".repeat(50_000);
  for (let n = 0; n < 30; n++)
    await client.task.create.mutate({ organizationId, title: `Task ${n}`, description });
  const first = (await ask(eve, "list_tasks", { limit: 50 })).data as { tasks: object[]; next: string };
  expect(first.tasks.length).toBeLessThan(30);
  const second = (await ask(eve, "list_tasks", { limit: 50, after: first.next })).data as typeof first;
  expect(first.tasks.length + second.tasks.length).toBe(30);
  expect(second.next).toBeNull();
});
