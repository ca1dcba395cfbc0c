import { expect, it } from "vitest";
import { ask, newTenant } from "../testing/tool";

it("deletes a task, and states until when it can be restored", async () => {
  const ada = await newTenant();
  const { organizationId, client } = ada;
  const { id } = await client.task.create.mutate({ organizationId, title: "By mistake" });
  const { data } = await ask(ada, "delete_task", { taskId: "by-mistake" });
  expect(data).toEqual({ taskId: id, deleted: true, restorableUntil: expect.any(String) });
  for (const tool of ["get_task", "update_task"])
    expect(
      (await ask(ada, tool, { taskId: id, ...(tool === "update_task" && { title: "b" }) })).text,
    ).toMatch(/^not_found: There is no task .* delete_task with restore true brings back a deleted one\.$/);
  expect((await ask(ada, "delete_task", { taskId: id })).text).toMatch(/^not_found: There is no task/);
  for (const taskId of ["by-mistake", id])
    expect((await ask(ada, "delete_task", { taskId, restore: true })).data).toEqual({
      taskId: id,
      deleted: false,
    });
  expect((await ask(ada, "get_task", { taskId: id })).data).toMatchObject({ id, title: "By mistake" });
});

it("restores no task that never was, or that another organization has deleted", async () => {
  const [ada, eve] = await Promise.all([newTenant("ada"), newTenant("eve")]);
  const { organizationId, client } = eve;
  const { id } = await client.task.create.mutate({ organizationId, title: "Hers" });
  await client.task.delete.mutate({ organizationId, id });
  for (const taskId of [id, "never-was"])
    expect((await ask(ada, "delete_task", { taskId, restore: true })).text).toMatch(
      new RegExp(`^not_found: There is no task ${taskId}, nor was it deleted in the last 30 days\\.`),
    );
});
