import { expect, it } from "vitest";
import { ask, newTenant } from "../testing/tool";

it("shows a whole task, by slug or id", async () => {
  const ada = await newTenant();
  const { organizationId, client } = ada;
  const task = await client.task.create.mutate({ organizationId, title: "Short", description: "Do it." });
  // Left out for agents: they work in one organization, and do not draw the board.
  const {
    organizationId: _organization,
    rank: _rank,
    prState: _prState,
    changeState: _changeState,
    ...whole
  } = task;
  const { data, text } = await ask(ada, "get_task", { taskId: "short" });
  expect(data).toEqual({ ...whole, comments: [] });
  expect(JSON.parse(text)).toEqual({ ...whole, comments: [] });
  expect((await ask(ada, "get_task", { taskId: task.id })).data).toMatchObject(whole);
  const eve = await newTenant("eve");
  expect((await ask(eve, "get_task", { taskId: task.id })).text).toMatch(
    new RegExp(`^not_found: There is no task ${task.id}\\.`),
  );
});

it("shows the last five comments, with the names of their authors", async () => {
  const ada = await newTenant();
  const { organizationId, client } = ada;
  const { id } = await client.task.create.mutate({ organizationId, title: "Discussed" });
  for (const body of ["one", "two", `${"😀".repeat(2_000)}!`, "four", "five"])
    await client.task.addComment.mutate({ organizationId, id, body });
  await client.task.update.mutate({ organizationId, id, priority: "high" });
  await ask(ada, "update_task", { taskId: id, comment: "**six**" });
  const { data } = await ask(ada, "get_task", { taskId: "discussed" });
  expect(data?.comments).toMatchObject([
    { author: "ada", body: "two", truncated: false },
    { author: "ada", body: "😀".repeat(2_000), truncated: true },
    { author: "ada", body: "four", createdAt: expect.any(String) },
    { author: "ada", body: "five" },
    { author: "ada's agent", body: "**six**" },
  ]);
  expect((await ask(ada, "get_task", { taskId: id, offset: 1 })).data).not.toHaveProperty("comments");
});

it.each([
  ["plain text", "x".repeat(50_000)],
  ["line breaks and quotes", '"\n'.repeat(10_000)],
  ["characters of several bytes", "木".repeat(20_000)],
  ["pairs of surrogates", `a${"😀".repeat(10_000)}`],
])("shows a long description in parts, all of it: %s", async (_, description) => {
  const ada = await newTenant();
  const { organizationId, client } = ada;
  await client.task.create.mutate({ organizationId, title: "Long", description });
  let read = "";
  for (let offset: unknown = 0; offset !== undefined; ) {
    const { data, text } = await ask(ada, "get_task", { taskId: "long", offset });
    const size = Buffer.byteLength(JSON.stringify(text)) + Buffer.byteLength(JSON.stringify(data));
    expect(size).toBeLessThan(20_000);
    read += String(data?.description);
    offset = data?.nextOffset;
  }
  expect(read).toBe(description);
});
