import { expect, it } from "vitest";
import { ask, newTenant } from "../testing/tool";

it("shows a whole task, by slug or id", async () => {
  const ada = await newTenant();
  const { organizationId, client } = ada;
  const description = "x".repeat(50_000);
  const task = await client.task.create.mutate({ organizationId, title: "Long", description });
  // An agent needs neither: it works in one organization, and does not draw the board.
  const { organizationId: _organization, rank: _rank, ...whole } = task;
  const { data, text } = await ask(ada, "get_task", { taskId: "long" });
  expect(data).toEqual(whole);
  expect(JSON.parse(text)).toEqual(whole);
  expect((await ask(ada, "get_task", { taskId: task.id })).data).toEqual(whole);
  const eve = await newTenant("eve");
  expect((await ask(eve, "get_task", { taskId: task.id })).text).toMatch(
    new RegExp(`^not_found: There is no task ${task.id}\\.`),
  );
});
