import { expect, it } from "vitest";
import { addMember } from "../testing/fixtures";
import { useTestServer } from "../testing/server";

const server = await useTestServer();
const { db } = server.database;

/** The outcomes of calls: `ok`, or the reason or code of a refusal. */
const outcomes = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((result) =>
    result.status === "fulfilled" ? "ok" : (result.reason.data.reason ?? result.reason.data.code),
  );

it("fifty concurrent tasks of one title get fifty slugs", async () => {
  const { client, organizationId } = await server.signUp();
  const made = await Promise.all(
    Array.from({ length: 50 }, () => client.task.create.mutate({ organizationId, title: "Same" })),
  );
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(50);
});

it("no task is left with a status that is deleted while tasks get it", async () => {
  const { client, organizationId } = await server.signUp();
  const { id } = await client.task.create.mutate({ organizationId, title: "moves" });
  for (let round = 0; round < 8; round++) {
    const { key } = await client.task.createStatus.mutate({
      organizationId,
      name: "Passing",
      type: "started",
    });
    const found = await outcomes([
      client.task.update.mutate({ organizationId, id, status: key }),
      client.task.create.mutate({ organizationId, title: `${round}`, status: key }),
      client.task.deleteStatus.mutate({ organizationId, key, moveTo: "todo" }),
      client.task.update.mutate({ organizationId, id, status: key }),
      client.task.updateStatus.mutate({ organizationId, key, type: "unstarted", position: 0 }),
    ]);
    expect(found[2]).toBe("ok");
    for (const outcome of found) expect(["ok", "unknown_status", "NOT_FOUND"]).toContain(outcome);
  }
  const statuses = await client.task.listStatuses.query({ organizationId });
  expect(statuses.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5]);
});

it("statuses added concurrently have positions of their own", async () => {
  const { client, organizationId } = await server.signUp();
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      client.task.createStatus.mutate({ organizationId, name: "Same", type: "started", position: n }),
    ),
  );
  const statuses = await client.task.listStatuses.query({ organizationId });
  expect(statuses.map(({ position }) => position)).toEqual(Array.from({ length: 16 }, (_, n) => n));
  expect(new Set(statuses.map(({ key }) => key)).size).toBe(16);
});

it("statuses added concurrently, each before the existing ones, do not deadlock", async () => {
  const { client, organizationId } = await server.signUp();
  const names = [..."zyxwvutsrqpo"].map((letter) => `Area ${letter}`);
  const made = names.map((name) =>
    client.task.createStatus.mutate({ organizationId, name, type: "started", position: 0 }),
  );
  expect(await outcomes(made)).toEqual(names.map(() => "ok"));
});

it("a user who leaves an organization while being assigned to a task is no assignee afterwards", async () => {
  const { client, organizationId } = await server.signUp();
  const tasks = await Promise.all(
    Array.from({ length: 4 }, () => client.task.create.mutate({ organizationId, title: "assigned" })),
  );
  for (let round = 0; round < 6; round++) {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const assignments = tasks.map(({ id }) =>
      client.task.update.mutate({ organizationId, id, assigneeId: bob.user.id }),
    );
    const removal = client.organization.removeMember.mutate({ organizationId, userId: bob.user.id });
    const found = await outcomes([...assignments, removal]);
    expect(found.at(-1)).toBe("ok");
    for (const outcome of found) expect(["ok", "NOT_FOUND"]).toContain(outcome);
    const left = await db
      .selectFrom("tasks")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("assignee_id", "=", bob.user.id)
      .execute();
    expect(left).toEqual([]);
  }
});
