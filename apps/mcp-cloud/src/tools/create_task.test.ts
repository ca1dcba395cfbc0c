import type { Tenant } from "@grove/test-api";
import { beforeAll, expect, it } from "vitest";
import { anyId, ask, newTenant } from "../testing/tool";

let ada: Tenant;
beforeAll(async () => {
  ada = await newTenant();
});

it("creates a task with the defaults of the organization", async () => {
  const { data, text } = await ask(ada, "create_task", { title: "Fix the login" });
  expect(data).toEqual({
    id: expect.any(String),
    slug: "fix-the-login",
    title: "Fix the login",
    description: null,
    truncated: false,
    status: "backlog",
    priority: "none",
    assigneeId: null,
    labels: [],
    branch: null,
    projectId: null,
    dueDate: null,
    estimate: null,
    prUrl: null,
  });
  expect(JSON.parse(text)).toEqual(data);
});

it("accepts every field, and cuts a long description in its answer", async () => {
  const fields = {
    title: "All of them",
    description: "👍🏽".repeat(200),
    status: "todo",
    priority: "high",
    labels: ["a", "b"],
    dueDate: "2028-02-29",
    estimate: 3,
  };
  const { data } = await ask(ada, "create_task", { ...fields, assignee: "me" });
  expect(data).toMatchObject({
    priority: "high",
    status: "todo",
    labels: ["a", "b"],
    assigneeId: ada.userId,
  });
  expect(data).toMatchObject({ description: "👍🏽".repeat(150), truncated: true });
  const { organizationId } = ada;
  const task = await ada.client.task.get.query({ organizationId, id: "all-of-them" });
  expect(task).toMatchObject({ ...fields, assigneeId: ada.userId });
});

it.each([
  ["an id", () => ada.userId],
  ["an email, in any case", () => ada.email.toUpperCase()],
])("assigns by %s", async (_how, assignee) => {
  const { data } = await ask(ada, "create_task", { title: "Assigned", assignee: assignee() });
  expect(data).toMatchObject({ assigneeId: ada.userId });
});

it.each([
  [
    "nobody@example.com",
    /^unknown_assignee: No member of the organization has the email "nobody@example\.com"\./,
  ],
  ["Ada", /^invalid_input: assignee: "Ada" is neither a user id, nor an email, nor me\. list_members/],
  [anyId, new RegExp(`^not_found: The assignee ${anyId} is not a member of the organization\\.`)],
])("refuses the assignee %s", async (assignee, problem) => {
  const { isError, text } = await ask(ada, "create_task", { title: "For whom?", assignee });
  expect(isError).toBe(true);
  expect(text).toMatch(problem);
});

it.each(["doing", "In Progress", "started", "todo "])("lists the statuses instead of %j", async (status) => {
  const { text } = await ask(ada, "create_task", { title: "a", status });
  if (status === "todo ") return expect(text).toContain('"status":"todo"');
  expect(text).toBe(
    `unknown_status: There is no status ${JSON.stringify(status)}. ` +
      "The statuses are: backlog, todo, in_progress, in_review, done, canceled.",
  );
});
