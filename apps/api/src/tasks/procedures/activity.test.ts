import { MIN_PAGE } from "@grove/schemas";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { addMember } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";
import { watch } from "../../testing/watch";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { task } = ada.client;

const newTask = (title = "Login") => task.create.mutate({ organizationId, title });
const activityOf = (id: string) => task.listActivity.query({ organizationId, id });
/** As if all entries of a task were older than the time in which changes are merged. */
const makeOlder = (id: string) =>
  sql`update task_activity set created_at = created_at - interval '6 minutes' where task_id = ${id}`.execute(
    db,
  );

describe("changes", () => {
  it("are recorded with both values and their author; of a text, only that it changed", async () => {
    const { id } = await newTask();
    await task.update.mutate({
      organizationId,
      id,
      title: "Log in",
      description: "secret plan",
      labels: ["a"],
    });
    await bob.client.task.move.mutate({ organizationId, id, status: "done" });
    const [byBob, byAda, ...others] = await activityOf(id);
    expect(others).toEqual([]);
    expect(byAda).toMatchObject({
      kind: "change",
      actorKind: "user",
      actorId: ada.user.id,
      body: null,
      changes: {
        title: { from: "Login", to: "Log in" },
        description: { from: null, to: null },
        labels: { from: [], to: ["a"] },
      },
    });
    expect(byBob).toMatchObject({
      actorId: bob.user.id,
      changes: { status: { from: "backlog", to: "done" } },
    });
    const { rows } = await sql`select from task_activity where changes::text like '%secret plan%'`.execute(
      db,
    );
    expect(rows).toEqual([]);
  });

  it("of one actor within five minutes are one entry, and none if they were taken back", async () => {
    const { id } = await newTask();
    const set = (priority: "high" | "low" | "none") => task.update.mutate({ organizationId, id, priority });
    await set("high");
    await set("low");
    expect(await activityOf(id)).toMatchObject([{ changes: { priority: { from: "none", to: "low" } } }]);
    await set("none");
    expect(await activityOf(id)).toEqual([]);
    await set("high");
    await makeOlder(id);
    await set("low");
    await bob.client.task.update.mutate({ organizationId, id, priority: "none" });
    expect((await activityOf(id)).map(({ changes }) => changes?.priority)).toEqual([
      { from: "low", to: "none" },
      { from: "high", to: "low" },
      { from: "none", to: "high" },
    ]);
  });

  it("that move a task only in its order, or change nothing, are not recorded", async () => {
    const [one, other] = [await newTask(), await newTask()];
    await task.move.mutate({ organizationId, id: one.id, before: other.id });
    await task.update.mutate({ organizationId, id: one.id, title: "Login" });
    expect(await activityOf(one.id)).toEqual([]);
  });
});

describe("comments", () => {
  it("are added, changed and deleted, and update their task for its watchers", async () => {
    const { id, updatedAt } = await newTask();
    const watcher = watch((handlers) => bob.client.task.watch.subscribe({ organizationId }, handlers));
    await watcher.ready();
    const body = "Looks good 👍\n\n- [ ] tests";
    const comment = await task.addComment.mutate({ organizationId, id, body });
    expect(comment).toEqual({
      id: expect.any(String),
      taskId: id,
      kind: "comment",
      actorKind: "user",
      actorId: ada.user.id,
      body,
      changes: null,
      createdAt: expect.any(String),
      editedAt: null,
    });
    const { data } = await watcher.event(({ type }) => type === "updated");
    expect(data).toMatchObject({ type: "updated", task: { id } });
    watcher.stop();
    expect(await activityOf(id)).toEqual([comment]);
    expect((await task.get.query({ organizationId, id })).updatedAt > updatedAt).toBe(true);
    const edited = await task.updateComment.mutate({ organizationId, id: comment.id, body: "Better" });
    expect(edited).toEqual({ ...comment, body: "Better", editedAt: expect.any(String) });
    await task.deleteComment.mutate({ organizationId, id: comment.id });
    expect(await activityOf(id)).toEqual([]);
    for (const call of [
      () => task.updateComment.mutate({ organizationId, id: comment.id, body: "x" }),
      () => task.deleteComment.mutate({ organizationId, id: comment.id }),
    ])
      expect(await failure(call())).toMatchObject({ code: "NOT_FOUND" });
  });

  it("are changed by their author only, and deleted by admins too", async () => {
    const { id } = await newTask();
    const comment = await bob.client.task.addComment.mutate({ organizationId, id, body: "mine" });
    expect(
      await failure(task.updateComment.mutate({ organizationId, id: comment.id, body: "yours" })),
    ).toMatchObject({ code: "FORBIDDEN", reason: "not_author" });
    const other = await task.addComment.mutate({ organizationId, id, body: "Ada's" });
    expect(
      await failure(bob.client.task.deleteComment.mutate({ organizationId, id: other.id })),
    ).toMatchObject({ code: "FORBIDDEN", reason: "not_author" });
    await task.deleteComment.mutate({ organizationId, id: comment.id });
    expect(await activityOf(id)).toEqual([other]);
  });

  it("with an id chosen by the caller are added once, also by two concurrent calls", async () => {
    const { id } = await newTask();
    const input = { organizationId, id, body: "once", commentId: crypto.randomUUID() };
    const added = await Promise.all([task.addComment.mutate(input), task.addComment.mutate(input)]);
    expect(added[0]).toEqual(added[1]);
    expect(await activityOf(id)).toEqual([added[0]]);
    for (const other of [
      { ...input, body: "other" },
      { ...input, id: (await newTask()).id },
    ])
      expect(await failure(task.addComment.mutate(other))).toMatchObject({
        code: "CONFLICT",
        reason: "id_taken",
      });
    const eve = await server.signUp("Eve");
    const foreign = await eve.client.task.create.mutate({ organizationId: eve.organizationId, title: "x" });
    const stolen = { ...input, organizationId: eve.organizationId, id: foreign.id };
    expect(await failure(eve.client.task.addComment.mutate(stolen))).toMatchObject({ reason: "id_taken" });
  });

  it("are refused if they are empty or longer than 20 000 characters", async () => {
    const { id } = await newTask();
    for (const body of ["", " \n ", "x".repeat(20_001)])
      expect(await failure(task.addComment.mutate({ organizationId, id, body }))).toMatchObject({
        code: "BAD_REQUEST",
      });
  });

  it("are paged, and go with their task", async () => {
    const { id } = await newTask();
    for (let n = 0; n < MIN_PAGE + 2; n++)
      await task.addComment.mutate({ organizationId, id, body: `comment ${n}` });
    const first = await task.listActivity.query({ organizationId, id, limit: MIN_PAGE });
    const rest = await task.listActivity.query({
      organizationId,
      id,
      limit: MIN_PAGE,
      after: first.at(-1)?.id,
    });
    expect([...first, ...rest].map(({ body }) => body)).toEqual(
      Array.from({ length: MIN_PAGE + 2 }, (_, n) => `comment ${MIN_PAGE + 1 - n}`),
    );
    await task.delete.mutate({ organizationId, id });
    expect(await failure(activityOf(id))).toMatchObject({ code: "NOT_FOUND" });
    await task.restore.mutate({ organizationId, id });
    expect(await activityOf(id)).not.toEqual([]);
  });
});
