import { expect, it } from "vitest";
import { ask, newTenant } from "../testing/tool";

it("deletes a task, and states until when it can be restored", async () => {
  const ada = await newTenant();
  const { organizationId, client } = ada;
  const { id } = await client.task.create.mutate({ organizationId, title: "By mistake" });
  const { data } = await ask(ada, "delete_task", { taskId: "by-mistake" });
  expect(data).toEqual({ taskId: id, deleted: true, restorableUntil: expect.any(String) });
  expect((await ask(ada, "get_task", { taskId: id })).text).toMatch(/^not_found: /);
  expect((await ask(ada, "delete_task", { taskId: id })).text).toMatch(/^not_found: There is no task/);
  expect(await client.task.restore.mutate({ organizationId, id })).toMatchObject({ id, title: "By mistake" });
});
