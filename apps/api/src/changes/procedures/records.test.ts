import { newId } from "@grove/db";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { deleteOutdated } from "../../maintenance/retention";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const eve = await server.signUp("Eve");
const bob = await server.signUp("Bob");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { task, workspace } = ada.client;

const forkCommit = "a".repeat(40);

/** Registers a worktree of a new project, or of a given one. */
async function register(branchName: string, project = projectFields(), config: object = {}) {
  const input = { id: newId(), name: "tree", type: "worktree" as const, config: { branchName, ...config } };
  const { projectId } = await workspace.ensure.mutate({ organizationId, project, workspace: input });
  const [change] = await workspace.change.list.query({ organizationId, workspaceId: input.id });
  return { workspaceId: input.id, projectId, project, change };
}

it("is made with a worktree, once, and has the task with its branch", async () => {
  const project = projectFields();
  const { projectId } = await register("first", project);
  const { id: taskId } = await task.create.mutate({ organizationId, title: "A task", projectId });
  await task.update.mutate({ organizationId, id: taskId, branch: "second" });
  const made = await register("second", project, { baseBranch: "main", forkCommit });
  const { workspaceId, change } = made;
  expect(change).toEqual({
    id: expect.any(String),
    organizationId,
    projectId,
    workspaceId,
    taskId,
    deviceId: null,
    branch: "second",
    baseBranch: "main",
    forkCommit,
    pullRequest: null,
    workState: "idle",
    gate: null,
    gateSkipped: null,
    finishedAt: null,
    summary: null,
    tests: [],
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const again = {
    id: workspaceId,
    name: "tree",
    type: "worktree" as const,
    config: { branchName: "second" },
  };
  await workspace.ensure.mutate({ organizationId, project, workspace: again });
  const all = await workspace.change.list.query({ organizationId, projectId });
  expect(all.map(({ branch }) => branch)).toEqual(["second", "first"]);
  const id = change?.id ?? "";
  expect(await workspace.change.get.query({ organizationId, id })).toEqual(change);
});

it("is not made on the default branch, without a branch, and for a main work tree", async () => {
  const { projectId } = await register("main");
  const fields = { organizationId, projectId, name: "tree" };
  await workspace.create.mutate({ ...fields, type: "worktree", config: {} });
  await workspace.create.mutate({ ...fields, type: "main", config: { branchName: "work" } });
  expect(await workspace.change.list.query({ organizationId, projectId })).toEqual([]);
  await workspace.create.mutate({ ...fields, type: "worktree", config: { branchName: "work" } });
  expect(await workspace.change.list.query({ organizationId, projectId })).toHaveLength(1);
});

it("follows its branch's name, but not to the default branch, and outlives its workspace", async () => {
  const { workspaceId, projectId, project, change } = await register("former");
  const update = (branchName: string) =>
    workspace.update.mutate({ organizationId, id: workspaceId, config: { branchName } });
  const current = () => workspace.change.get.query({ organizationId, id: change?.id ?? "" });
  await update("renamed");
  expect(await current()).toMatchObject({ branch: "renamed", workspaceId });
  await update("main");
  expect(await current()).toMatchObject({ branch: "renamed" });
  await workspace.delete.mutate({ organizationId, id: workspaceId });
  expect(await current()).toMatchObject({ branch: "renamed", workspaceId: null });
  const next = await register("renamed", project);
  expect(next.change).toMatchObject({ id: change?.id, workspaceId: next.workspaceId });
  await ada.client.project.delete.mutate({ organizationId, id: projectId });
  expect(await failure(current())).toMatchObject({ code: "NOT_FOUND" });
});

it("is listed in pages, and by the state of its newest pull request", async () => {
  const project = projectFields();
  const ids: string[] = [];
  for (const branch of ["a", "b", "c"]) ids.unshift((await register(branch, project)).change?.id ?? "");
  const [first] = await workspace.change.list.query({ organizationId, limit: 1 });
  const others = await workspace.change.list.query({ organizationId, limit: 2, after: first?.id });
  expect([first, ...others].map((one) => one?.id)).toEqual(ids);
  const repositoryId = newId();
  await sql`insert into repositories (id, organization_id, provider, external_id, owner, name, named_at)
    values (${repositoryId}, ${organizationId}, 'github', '1', 'o', 'r', now())`.execute(db);
  for (const [number, state] of ["closed", "open"].entries())
    await sql`insert into pull_requests
      (id, organization_id, repository_id, number, change_id, url, state, head, base, updated_at)
      values (${newId()}, ${organizationId}, ${repositoryId}, ${number}, ${ids[1]}, 'https://example.com/1', ${state},
        'b', 'main', now())`.execute(db);
  const of = (state: "open" | "closed") => workspace.change.list.query({ organizationId, state });
  expect(await of("closed")).toEqual([]);
  expect(await of("open")).toMatchObject([
    {
      id: ids[1],
      pullRequest: { number: 1, url: "https://example.com/1", state: "open", base: "main", doneAt: null },
    },
  ]);
});

it("is unknown to other organizations", async () => {
  const { change } = await register("secret");
  const elsewhere = { organizationId: eve.organizationId };
  expect(await eve.client.workspace.change.list.query(elsewhere)).toEqual([]);
  const id = change?.id ?? "";
  expect(await failure(eve.client.workspace.change.get.query({ ...elsewhere, id }))).toMatchObject({
    code: "NOT_FOUND",
  });
});

it("is kept for 90 days after its workspace, and as long as its task", async () => {
  const project = projectFields();
  const made = [
    await register("old", project),
    await register("standing", project),
    await register("of-task", project),
  ];
  const { id: taskId } = await task.create.mutate({ organizationId, title: "A task" });
  const [old, standing, ofTask] = made.map(({ change }) => change?.id ?? "");
  await db
    .updateTable("changes")
    .set({ task_id: taskId })
    .where("id", "=", ofTask ?? "")
    .execute();
  for (const index of [0, 2])
    await workspace.delete.mutate({ organizationId, id: made[index]?.workspaceId ?? "" });
  const remaining = async () => {
    const all = await workspace.change.list.query({ organizationId, projectId: made[0]?.projectId });
    return all.map(({ id }) => id);
  };
  await db.updateTable("changes").set({ updated_at: sql<string>`now() - interval '89 days'` }).execute();
  await deleteOutdated(db);
  expect(await remaining()).toEqual([ofTask, standing, old]);
  await db.updateTable("changes").set({ updated_at: sql<string>`now() - interval '91 days'` }).execute();
  await deleteOutdated(db);
  expect(await remaining()).toEqual([ofTask, standing]);
});

it("lists a person's own: those of assigned tasks, and of the person's devices", async () => {
  const mineOf = async ({ client }: typeof ada) =>
    (await client.workspace.change.list.query({ organizationId, mine: true })).map(({ id }) => id);
  const project = projectFields();
  const { projectId } = await register("assigned", project);
  const { id: taskId } = await task.create.mutate({
    organizationId,
    title: "For Bob",
    projectId,
    assigneeId: bob.user.id,
  });
  await task.update.mutate({ organizationId, id: taskId, branch: "for-bob" });
  const ofTask = await register("for-bob", project);
  const { apiKey } = await bob.client.device.register.mutate({
    organizationId,
    name: "bobs",
    platform: "linux",
  });
  const input = {
    id: newId(),
    name: "tree",
    type: "worktree" as const,
    config: { branchName: "on-bobs-device" },
  };
  await server.client(apiKey).workspace.ensure.mutate({ organizationId, project, workspace: input });
  const [onDevice] = await workspace.change.list.query({ organizationId, workspaceId: input.id });
  expect(await mineOf(bob)).toEqual([onDevice?.id, ofTask.change?.id]);
  expect(await mineOf(ada)).toEqual([]);
});
