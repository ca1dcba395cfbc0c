import type { Tenant } from "@grove/test-api";
import { beforeAll, expect, inject, it } from "vitest";
import { call, connect } from "../testing/client";
import { ask, newTenant } from "../testing/tool";

let ada: Tenant;
beforeAll(async () => {
  ada = await newTenant();
});
const create = (title: string, more: object = {}) =>
  ada.client.task.create.mutate({ organizationId: ada.organizationId, title, ...more });
const get = (id: string) => ada.client.task.get.query({ organizationId: ada.organizationId, id });

it("changes what is given, by slug or id, and leaves the rest", async () => {
  const { id, slug } = await create("Move along", { description: "as before" });
  const moved = await ask(ada, "update_task", { taskId: slug, status: "in_progress", branch: "move-along" });
  expect(moved.data).toMatchObject({
    id,
    status: "in_progress",
    branch: "move-along",
    description: "as before",
  });
  const prUrl = "https://example.com/acme/orchard/pull/7";
  await ask(ada, "update_task", { taskId: id, prUrl, assignee: "me", title: "Moved", labels: ["done"] });
  expect(await get(id)).toMatchObject({
    title: "Moved",
    slug: "move-along",
    description: "as before",
    status: "in_progress",
    branch: "move-along",
    prUrl,
    assigneeId: ada.userId,
    labels: ["done"],
  });
});

it("adds a comment, with or without other changes, over stdin and stdout", async () => {
  const { id, slug } = await create("Discussed");
  const client = await connect({ API_URL: inject("apiUrl"), API_KEY: ada.apiKey });
  const commented = await call(client, "update_task", { taskId: slug, comment: "Started\n\n- [ ] tests" });
  expect(commented.data).toMatchObject({ id, status: "backlog" });
  const done = await call(client, "update_task", { taskId: id, status: "done", comment: "All done" });
  expect(done.data).toMatchObject({ id, status: "done" });
  const read = await call(client, "get_task", { taskId: id });
  expect(read.data).toMatchObject({
    status: "done",
    comments: [{ body: "Started\n\n- [ ] tests" }, { body: "All done" }],
  });
  expect((await call(client, "update_task", { taskId: id, comment: " " })).text).toMatch(
    /^invalid_input: comment: must not be empty/,
  );
});

it("empties the fields named in clear", async () => {
  const { id } = await create("To be emptied", {
    description: "a",
    assigneeId: ada.userId,
    labels: ["a"],
    dueDate: "2028-01-01",
    estimate: 1,
  });
  const clear = ["description", "assignee", "labels", "dueDate", "estimate", "projectId", "branch", "prUrl"];
  expect((await ask(ada, "update_task", { taskId: id, clear })).isError).toBe(false);
  expect(await get(id)).toMatchObject({
    title: "To be emptied",
    description: null,
    assigneeId: null,
    labels: [],
    dueDate: null,
    estimate: null,
    projectId: null,
    branch: null,
    prUrl: null,
  });
});

it("refuses a field that is given and cleared, a call that changes nothing, and a task that is not there", async () => {
  const { slug } = await create("Stays");
  const update = async (args: object) => (await ask(ada, "update_task", { taskId: slug, ...args })).text;
  expect(await update({ assignee: "me", clear: ["assignee"] })).toBe(
    "invalid_input: assignee is given, and named in clear too. Leave out one of the two.",
  );
  expect(await update({})).toBe(
    'nothing_to_change: update_task was given no field of task "stays" to change. Give at least one field, or name one in clear.',
  );
  expect(await update({ clear: ["title"] })).toMatch(/^invalid_input: clear\[0\]: .* \(got "title"\)/);
  expect(await update({ status: "In Review" })).toMatch(
    /^unknown_status: There is no status "In Review"\. The statuses are: backlog, .*in_review/,
  );
  expect(await update({ taskId: "no-such-task", title: "a" })).toMatch(
    /^not_found: There is no task no-such-task\./,
  );
});
