import { expect, it } from "vitest";
import { ask, newTenant } from "../testing/tool";

it("lists the organization's own statuses in their order, and the default", async () => {
  const ada = await newTenant();
  const { organizationId, client } = ada;
  const keys = ["backlog", "todo", "in_progress", "in_review", "done", "canceled"];
  expect((await ask(ada, "list_task_statuses")).data).toMatchObject({
    statuses: keys.map((key) => ({ key })),
    default: "backlog",
    total: 6,
    next: null,
  });
  await client.task.createStatus.mutate({ organizationId, name: "Triage", type: "backlog", position: 0 });
  expect((await ask(ada, "list_task_statuses")).data).toMatchObject({
    statuses: [{ key: "triage", name: "Triage", type: "backlog" }, { key: "backlog" }, {}, {}, {}, {}, {}],
    default: "triage",
    total: 7,
  });
});
