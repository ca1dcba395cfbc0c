import { newId } from "@grove/db";
import { type Task, taskEvent } from "@grove/schemas";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { deleteOutdated } from "../../maintenance/retention";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";
import { watch } from "../../testing/watch";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const eve = await server.signUp("Eve");
const { organizationId } = ada;
const { db } = server.database;
const tasks = ada.client.task;

const create = (title: string, more: Partial<Parameters<typeof tasks.create.mutate>[0]> = {}) =>
  tasks.create.mutate({ organizationId, title, ...more });
const titles = (found: Task[]) => found.map(({ title }) => title);

describe("task.create", () => {
  // Contract: task.create
  it("gives omitted fields their defaults", async () => {
    const task = await create("Fix the login form");
    expect(task).toEqual({
      id: expect.any(String),
      slug: "fix-the-login-form",
      organizationId,
      title: "Fix the login form",
      description: null,
      status: "backlog",
      statusType: "backlog",
      priority: "none",
      assigneeId: null,
      creatorId: ada.user.id,
      projectId: null,
      labels: [],
      dueDate: null,
      estimate: null,
      branch: null,
      prUrl: null,
      prState: null,
      changeState: null,
      externalUrl: null,
      startedAt: null,
      completedAt: null,
      createdAt: task.createdAt,
      updatedAt: task.createdAt,
      rank: task.id.replaceAll("-", ""),
    });
  });

  it("makes one task for an idempotency key, even for two concurrent calls, and refuses another task for it", async () => {
    const idempotencyKey = newId();
    const again = () => create("Once", { idempotencyKey, labels: ["a"] });
    const made = await Promise.all([again(), again()]);
    made.push(await again());
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await failure(create("Twice", { idempotencyKey }))).toMatchObject({
      code: "CONFLICT",
      reason: "idempotency_key_reused",
    });
    // Another user's key of that name is another key.
    const theirs = { organizationId: eve.organizationId, title: "Theirs", idempotencyKey };
    expect((await eve.client.task.create.mutate(theirs)).title).toBe("Theirs");
    const [first] = made;
    await db
      .updateTable("tasks")
      .set({ created_at: sql<string>`now() - interval '25 hours'` })
      .where("id", "=", first?.id ?? "")
      .execute();
    expect((await create("Twice", { idempotencyKey })).title).toBe("Twice");
  });

  it("accepts every field", async () => {
    const project = await ada.client.project.create.mutate({ organizationId, ...projectFields() });
    const fields = {
      description: "Line one\nline two",
      status: "in_review",
      priority: "high" as const,
      assigneeId: ada.user.id,
      projectId: project.id,
      labels: ["ui", "späti"],
      dueDate: "2028-02-29",
      estimate: 3,
    };
    const task = await create("Everything", { ...fields, labels: ["ui", "späti", "ui"] });
    expect(task).toMatchObject({ ...fields, statusType: "started", completedAt: null });
    expect(task.startedAt).toBe(task.createdAt);
    expect(await tasks.get.query({ organizationId, id: task.id })).toEqual(task);
  });

  it.each([
    ["東京の天気を直す", "dongjingnotianqiozhisu"],
    ["Почини вход", "pochini-vkhod"],
    ["إصلاح", "slh"],
    ["!!!", "task"],
    ["Rewrite the whole of the authorization of everything", "rewrite-the-whole-of-the-authorization"],
    ["x".repeat(60), "x".repeat(40)],
    ["0198a000-0000-7000-8000-0000000000aa", "task-0198a000-0000-7000-8000-0000000000aa"],
  ])("makes a short slug of %j", async (title, slug) => {
    const task = await create(title);
    expect(task).toMatchObject({ title, slug });
    expect(await tasks.get.query({ organizationId, id: slug })).toEqual(task);
  });

  it("finds a free slug for each of many tasks of one title", async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create("Same title")));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(10);
    for (const { slug } of made) expect(slug).toMatch(/^same-title(-[0-9a-f]{8})?$/);
    // In another organization the slug is free.
    const other = await eve.client.task.create.mutate({
      organizationId: eve.organizationId,
      title: "Same title",
    });
    expect(other.slug).toBe("same-title");
  });

  it("refuses what is not the organization's", async () => {
    const project = await eve.client.project.create.mutate({
      organizationId: eve.organizationId,
      ...projectFields(),
    });
    expect(await failure(create("x", { assigneeId: eve.user.id }))).toMatchObject({ code: "NOT_FOUND" });
    expect(await failure(create("x", { projectId: project.id }))).toMatchObject({ code: "NOT_FOUND" });
    expect(await failure(create("x", { status: "nowhere" }))).toMatchObject({
      code: "BAD_REQUEST",
      reason: "unknown_status",
    });
    expect(titles(await tasks.list.query({ organizationId }))).not.toContain("x");
  });
});

describe("task.update", () => {
  it("changes the given fields, clears those that are null, keeps the slug and the rest", async () => {
    const task = await create("Old title", { description: "old", estimate: 5, labels: ["a"] });
    const changed = await tasks.update.mutate({
      organizationId,
      id: task.slug,
      title: "New title",
      estimate: null,
      branch: "fix/login",
      prUrl: "https://example.com/acme/orchard/pull/7",
      assigneeId: ada.user.id,
    });
    expect(changed).toEqual({
      ...task,
      title: "New title",
      estimate: null,
      branch: "fix/login",
      prUrl: "https://example.com/acme/orchard/pull/7",
      assigneeId: ada.user.id,
      updatedAt: changed.updatedAt,
    });
    expect(changed.updatedAt > task.updatedAt).toBe(true);
    expect(titles(await tasks.list.query({ organizationId, search: "new TITLE" }))).toEqual(["New title"]);
    expect(await failure(tasks.update.mutate({ organizationId, id: newId(), title: "x" }))).toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("stamps when work started and when it was completed", async () => {
    const { id } = await create("Stamped");
    const to = (status: string) => tasks.update.mutate({ organizationId, id, status });
    const started = await to("in_progress");
    expect(started).toMatchObject({ statusType: "started", startedAt: started.updatedAt, completedAt: null });
    const done = await to("done");
    expect(done).toMatchObject({ startedAt: started.startedAt, completedAt: done.updatedAt });
    expect(await to("done")).toMatchObject({ completedAt: done.completedAt });
    expect(await to("in_review")).toMatchObject({ startedAt: started.startedAt, completedAt: null });
    expect(await to("canceled")).toMatchObject({ statusType: "canceled", completedAt: null });
    expect(await failure(to("nowhere"))).toMatchObject({ reason: "unknown_status" });
  });

  it("unassigns a task when its assignee leaves", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const task = await create("Bob's", { assigneeId: bob.user.id });
    await bob.client.organization.leave.mutate({ organizationId });
    const left = await tasks.get.query({ organizationId, id: task.id });
    expect(left).toMatchObject({ assigneeId: null });
    expect(left.updatedAt > task.updatedAt).toBe(true);
  });
});

describe("task.list", () => {
  // Contract: task.list
  it("filters by every field, and by all of them together", async () => {
    const ann = await server.signUp("Ann");
    const scope = { organizationId: ann.organizationId };
    const bob = await server.signUp("Bob");
    await addMember(server, ann.organizationId, bob, "member");
    const project = await ann.client.project.create.mutate({ ...scope, ...projectFields() });
    const list = (filter: object) => ann.client.task.list.query({ ...scope, ...filter }).then(titles);
    await ann.client.task.create.mutate({
      ...scope,
      title: "one",
      status: "todo",
      priority: "urgent",
      labels: ["a", "b"],
      assigneeId: bob.user.id,
      projectId: project.id,
    });
    await bob.client.task.create.mutate({ ...scope, title: "two", status: "in_progress", labels: ["a"] });
    await ann.client.task.create.mutate({ ...scope, title: "three", status: "in_review" });

    expect(await list({})).toEqual(["three", "two", "one"]);
    expect(await list({ status: "todo" })).toEqual(["one"]);
    expect(await list({ status: "unstarted" })).toEqual(["one"]);
    expect(await list({ status: "started" })).toEqual(["three", "two"]);
    expect(await list({ status: "no such status" })).toEqual([]);
    expect(await list({ assigneeId: bob.user.id })).toEqual(["one"]);
    expect(await list({ unassigned: true })).toEqual(["three", "two"]);
    expect(await failure(list({ unassigned: true, assigneeId: bob.user.id }))).toMatchObject({
      code: "BAD_REQUEST",
    });
    expect(await list({ statuses: ["todo", "in_review", "no such status"] })).toEqual(["three", "one"]);
    expect(await list({ statuses: ["unstarted", "in_progress"] })).toEqual(["two", "one"]);
    expect(await list({ statuses: ["no such status"] })).toEqual([]);
    expect(await list({ assigneeIds: [bob.user.id, ann.user.id] })).toEqual(["one"]);
    expect(await list({ assigneeIds: [bob.user.id], unassigned: true })).toEqual(["three", "two", "one"]);
    expect(await list({ assigneeIds: [ann.user.id], unassigned: true })).toEqual(["three", "two"]);
    expect(await list({ priorities: ["urgent", "low"] })).toEqual(["one"]);
    expect(await list({ priorities: ["urgent", "none"] })).toEqual(["three", "two", "one"]);
    expect(await list({ projectIds: [project.id, newId()] })).toEqual(["one"]);
    for (const both of [
      { assigneeId: bob.user.id, assigneeIds: [bob.user.id] },
      { status: "todo", statuses: ["todo"] },
      { priority: "low", priorities: ["low"] },
      { projectId: project.id, projectIds: [project.id] },
      { statuses: [] },
    ])
      expect(await failure(list(both))).toMatchObject({ code: "BAD_REQUEST" });
    await ann.client.task.update.mutate({ ...scope, id: "two", branch: "feature/two" });
    expect(await list({ branch: "feature/two" })).toEqual(["two"]);
    expect(await list({ branch: "feature" })).toEqual([]);
    expect(await list({ creatorId: bob.user.id })).toEqual(["two"]);
    expect(await list({ priority: "urgent" })).toEqual(["one"]);
    expect(await list({ labels: ["a"] })).toEqual(["two", "one"]);
    expect(await list({ labels: ["a", "b"] })).toEqual(["one"]);
    expect(await list({ projectId: project.id })).toEqual(["one"]);
    expect(
      await list({
        status: "todo",
        labels: ["b"],
        assigneeId: bob.user.id,
        projectId: project.id,
        search: "o",
      }),
    ).toEqual(["one"]);
    expect(await list({ status: "todo", creatorId: bob.user.id })).toEqual([]);
    const [first] = await ann.client.task.list.query({ ...scope, limit: 1 });
    expect(await list({ after: first?.id, limit: 1 })).toEqual(["two"]);

    const count = (filter: object) => ann.client.task.count.query({ ...scope, ...filter });
    expect(await count({})).toEqual({ total: 3 });
    expect(await count({ status: "started", labels: ["a"], search: "TWO" })).toEqual({ total: 1 });
    expect(await count({ priorities: ["urgent", "low"], statuses: ["todo", "started"] })).toEqual({
      total: 1,
    });
    expect(await count({ atMost: 2 })).toEqual({ total: 2 });
    expect(await count({ atMost: 4 })).toEqual({ total: 3 });
    const byStatus = await ann.client.task.countByStatus.query({ ...scope, atMost: 2 });
    expect(byStatus.reduce((sum, { total }) => sum + total, 0)).toBe(2);
    await ann.client.task.delete.mutate({ ...scope, id: "one" });
    expect(await count({})).toEqual({ total: 2 });
    expect(await count({ status: "todo" })).toEqual({ total: 0 });
  });

  it.each([
    ["100%", "1000 done"],
    ["snake_case", "snakeXcase"],
    ["back\\slash", "back/slash"],
    ["\\", "/"],
    ["'", ","],
    ["\\'", "'\\"],
    ["& |", "|&"],
    ["->", "=>"],
  ])("a search for %j is literal", async (search, other) => {
    await create(`It is ${search} here`);
    await create(`It is ${other} here`);
    const found = titles(await tasks.list.query({ organizationId, search }));
    expect(found).toContain(`It is ${search} here`);
    expect(found).not.toContain(`It is ${other} here`);
  });

  it.each([
    ["ÉCOLE", "la petite école"],
    ["e\u0301cole maternelle", "École maternelle"],
    ["ΟΔΟΣ", "Οδός και οδοσ"],
    ["ПОЧИНИ", "почини дверь"],
    ["天気", "東京の天気"],
    ["ABC", "ＡＢＣ wide"],
    ["👍🏽", "good 👍🏽 work"],
  ])("a search for %j finds %j, in the title or the description", async (search, text) => {
    const inTitle = await create(text);
    const inDescription = await create("Elsewhere", { description: `first line\n${text}\nlast` });
    const found = await tasks.list.query({ organizationId, search });
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining([inTitle.id, inDescription.id]));
  });

  it("finds any part of any title", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter((text) => /\S/.test(text.trim())),
        async (text) => {
          const made = await create(`<${text.replaceAll(/[\r\n]/g, " ")}>`).catch(() => undefined);
          if (!made) return;
          const found = await tasks.list.query({ organizationId, search: made.title.slice(0, 100) });
          expect(found.map(({ id }) => id)).toContain(made.id);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("task.delete", () => {
  it("hides a task for 30 days, in which it can be restored", async () => {
    const task = await create("Deleted one");
    const { success, restorableUntil } = await tasks.delete.mutate({ organizationId, id: task.slug });
    expect(success).toBe(true);
    const { deleted_at } = await db
      .selectFrom("tasks")
      .select("deleted_at")
      .where("id", "=", task.id)
      .executeTakeFirstOrThrow();
    expect(Date.parse(restorableUntil) - Date.parse(deleted_at ?? "")).toBe(30 * 24 * 60 * 60 * 1000);
    expect(await failure(tasks.get.query({ organizationId, id: task.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await failure(tasks.delete.mutate({ organizationId, id: task.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(titles(await tasks.list.query({ organizationId, search: "Deleted one" }))).toEqual([]);
    await deleteOutdated(db);
    expect(await tasks.restore.mutate({ organizationId, id: task.slug })).toEqual(task);
    expect(await tasks.restore.mutate({ organizationId, id: task.id })).toEqual(task);
    expect(await tasks.get.query({ organizationId, id: task.id })).toEqual(task);
    const audited = await db
      .selectFrom("audit_events")
      .select(["action", "actor_id"])
      .where("target_id", "=", task.id)
      .execute();
    expect(audited).toEqual([{ action: "task.delete", actor_id: ada.user.id }]);
  });

  it("is final after 30 days", async () => {
    const task = await create("Long gone");
    const kept = await create("Gone lately");
    for (const { id } of [task, kept]) await tasks.delete.mutate({ organizationId, id });
    const age = (days: number) =>
      sql`update tasks set deleted_at = now() - ${`${days} days`}::interval where id = ${task.id}`.execute(
        db,
      );
    await age(31);
    expect(await failure(tasks.restore.mutate({ organizationId, id: task.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
    await deleteOutdated(db);
    const left = await db.selectFrom("tasks").select("id").where("id", "in", [task.id, kept.id]).execute();
    expect(left).toEqual([{ id: kept.id }]);
  });
});

describe("statuses", () => {
  const keys = async (client = ada.client, id = organizationId) =>
    (await client.task.listStatuses.query({ organizationId: id })).map(({ key }) => key);

  it("are six at first", async () => {
    expect(await eve.client.task.listStatuses.query({ organizationId: eve.organizationId })).toMatchObject([
      { key: "backlog", type: "backlog", position: 0 },
      { key: "todo", type: "unstarted", position: 1 },
      { key: "in_progress", type: "started", position: 2 },
      { key: "in_review", type: "started", position: 3 },
      { key: "done", type: "completed", position: 4 },
      { key: "canceled", type: "canceled", position: 5 },
    ]);
  });

  it("are added, renamed, moved and removed", async () => {
    const made = await tasks.createStatus.mutate({
      organizationId,
      name: "In Prüfung",
      type: "started",
      color: "#ABCDEF",
      position: 3,
    });
    expect(made).toEqual({
      key: "in_prufung",
      name: "In Prüfung",
      type: "started",
      color: "#abcdef",
      position: 3,
    });
    expect(await keys()).toEqual([
      "backlog",
      "todo",
      "in_progress",
      "in_prufung",
      "in_review",
      "done",
      "canceled",
    ]);
    const moved = await tasks.updateStatus.mutate({
      organizationId,
      key: made.key,
      name: "検査",
      position: 0,
    });
    expect(moved).toEqual({ ...made, name: "検査", position: 0 });
    // A new task gets the first status.
    expect(await create("Checked")).toMatchObject({ status: made.key, statusType: "started" });

    const remove = (moveTo?: string) => tasks.deleteStatus.mutate({ organizationId, key: made.key, moveTo });
    expect(await failure(remove())).toMatchObject({ code: "PRECONDITION_FAILED", reason: "status_in_use" });
    expect(await failure(remove(made.key))).toMatchObject({ reason: "unknown_status" });
    expect(await remove("done")).toEqual({ success: true });
    const [task] = await tasks.list.query({ organizationId, search: "Checked" });
    expect(task).toMatchObject({ status: "done", completedAt: expect.any(String) });
    expect(await tasks.listStatuses.query({ organizationId })).toMatchObject([
      { key: "backlog", position: 0 },
      { key: "todo", position: 1 },
      { key: "in_progress", position: 2 },
      { key: "in_review", position: 3 },
      { key: "done", position: 4 },
      { key: "canceled", position: 5 },
    ]);
  });

  it("have keys that are never another type's name", async () => {
    const scope = { organizationId: eve.organizationId };
    const made = await eve.client.task.createStatus.mutate({ ...scope, name: "Completed", type: "started" });
    expect(made.key).toMatch(/^completed_[0-9a-f]{8}$/);
    const again = await eve.client.task.createStatus.mutate({
      ...scope,
      name: "Completed",
      type: "completed",
    });
    expect(again.key).toBe("completed");
    const change = eve.client.task.updateStatus.mutate({ ...scope, key: "completed", type: "started" });
    expect(await failure(change)).toMatchObject({ code: "CONFLICT", reason: "status_type_fixed" });
  });

  it("stamp their tasks when their type changes", async () => {
    const scope = { organizationId: eve.organizationId };
    const { id } = await eve.client.task.create.mutate({ ...scope, title: "To do", status: "todo" });
    await eve.client.task.updateStatus.mutate({ ...scope, key: "todo", type: "completed" });
    expect(await eve.client.task.get.query({ ...scope, id })).toMatchObject({
      statusType: "completed",
      completedAt: expect.any(String),
    });
  });

  it("keep a last one", async () => {
    const ann = await server.signUp("Ann");
    const scope = { organizationId: ann.organizationId };
    const [last, ...others] = await keys(ann.client, ann.organizationId);
    for (const key of others) await ann.client.task.deleteStatus.mutate({ ...scope, key });
    const removal = ann.client.task.deleteStatus.mutate({ ...scope, key: last ?? "" });
    expect(await failure(removal)).toMatchObject({ code: "PRECONDITION_FAILED", reason: "last_status" });
  });
});

describe("task.watch", () => {
  it("sends what happens, in the declared form", async () => {
    const watcher = watch((handlers) => tasks.watch.subscribe({ organizationId }, handlers));
    await watcher.ready();
    const task = await create("Watched");
    const changed = await tasks.update.mutate({ organizationId, id: task.id, priority: "low" });
    await tasks.delete.mutate({ organizationId, id: task.id });
    await tasks.restore.mutate({ organizationId, id: task.id });
    await tasks.updateStatus.mutate({ organizationId, key: "todo", name: "To do" });
    await watcher.event(({ type }) => type === "statuses_changed");
    watcher.stop();
    const events = watcher.events.map(({ data }) => taskEvent.parse(data));
    expect(events).toEqual([
      { type: "ready", missed: false },
      { type: "created", task },
      { type: "updated", task: changed },
      { type: "deleted", task: changed },
      { type: "created", task: changed },
      { type: "statuses_changed" },
    ]);
  });
});

describe("task.watch, when many tasks change together,", () => {
  /** The events it sends, up to the task that is made afterwards. */
  async function eventsAfter(change: () => Promise<unknown>): Promise<string[]> {
    const watcher = watch((handlers) => tasks.watch.subscribe({ organizationId }, handlers));
    await watcher.ready();
    await change();
    await create("Afterwards");
    await watcher.event(({ type }) => type === "created");
    watcher.stop();
    return watcher.events.map(({ data }) => taskEvent.parse(data).type);
  }

  async function memberWithTasks() {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    for (const title of ["One", "Two"]) await create(title, { assigneeId: bob.user.id });
    return bob;
  }

  it("reports it once where their assignee leaves, or is deleted", async () => {
    const leaving = await memberWithTasks();
    expect(await eventsAfter(() => leaving.client.organization.leave.mutate({ organizationId }))).toEqual([
      "ready",
      "tasks_changed",
      "created",
    ]);
    const going = await memberWithTasks();
    const password = "correct horse battery";
    expect(await eventsAfter(() => going.client.user.delete.mutate({ password }))).toEqual([
      "ready",
      "tasks_changed",
      "created",
    ]);
  });

  it("reports it once where their project is deleted, and nothing where it had none", async () => {
    const { client } = ada;
    const fields = { organizationId, ...projectFields() };
    const project = await client.project.create.mutate(fields);
    const { id } = await create("Of the project", { projectId: project.id });
    expect(await eventsAfter(() => client.project.delete.mutate({ organizationId, id: project.id }))).toEqual(
      ["ready", "tasks_changed", "created"],
    );
    expect(await tasks.get.query({ organizationId, id })).toMatchObject({ projectId: null });
    const empty = await client.project.create.mutate(fields);
    expect(await eventsAfter(() => client.project.delete.mutate({ organizationId, id: empty.id }))).toEqual([
      "ready",
      "created",
    ]);
  });
});

it("everything of an organization is deleted with it", async () => {
  const ann = await server.signUp("Ann");
  await ann.client.task.create.mutate({
    organizationId: ann.organizationId,
    title: "Last",
    assigneeId: ann.user.id,
  });
  await db.deleteFrom("organizations").where("id", "=", ann.organizationId).execute();
  const left = await db
    .selectFrom("tasks")
    .select("id")
    .where("organization_id", "=", ann.organizationId)
    .execute();
  expect(left).toEqual([]);
});
