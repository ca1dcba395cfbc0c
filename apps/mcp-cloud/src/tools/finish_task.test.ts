import { expect, it } from "vitest";
import { reviewedWorkspace } from "../testing/review";
import { anyId, ask, newTenant } from "../testing/tool";

it("reports the work as finished, with its tests", async () => {
  const ada = await newTenant();
  const { workspaceId, changeId } = await reviewedWorkspace(ada, []);
  const report = { summary: "Locked accounts are refused.", tests: ["npm test: 34 passed"] };
  const { data } = await ask(ada, "finish_task", { workspaceId, ...report });
  expect(data).toEqual({ workspaceId, branch: "quiet-fern", finishedAt: expect.any(String) });
  const { organizationId } = ada;
  expect(await ada.client.workspace.change.get.query({ organizationId, id: changeId })).toMatchObject({
    ...report,
    finishedAt: data?.finishedAt,
  });
});

it("refuses a workspace that does not exist", async () => {
  const ada = await newTenant();
  const args = { workspaceId: anyId, summary: "Done." };
  expect((await ask(ada, "finish_task", args)).text).toMatch(/^not_found: .*list_workspaces/);
});
