import { expect, it } from "vitest";
import { anyId, ask, newTenant, onlineDevice } from "../testing/tool";

it("shows a project whose repository has moved with its problem", async () => {
  const ada = await newTenant();
  const project = {
    id: anyId,
    name: "Orchard",
    slug: "orchard",
    path: "/code/orchard",
    defaultBranch: "main",
  };
  const problem = "The repository of Orchard is no longer there. Run `grove-device project add <path>`.";
  const { device } = await onlineDevice(ada, () => ({ result: { projects: [{ ...project, problem }] } }));
  const { data } = await ask(ada, "list_projects", { deviceId: device.id });
  expect(data).toMatchObject({ projects: [{ ...project, problem }], total: 1, next: null });
});
