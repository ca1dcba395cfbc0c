import { expect, it } from "vitest";
import { anyId, ask, newTenant, onlineDevice } from "../testing/tool";

const otherId = "0199aaaa-0000-7000-8000-000000000002";
const kept = (id: string) => ({
  id,
  name: `tree ${id.at(-1)}`,
  worktreeRemoved: false,
  branchDeleted: false,
  warnings: [],
  error: { reason: "unsaved_work", message: "It has 2 uncommitted files." },
});
const removed = (id: string) => ({
  id,
  name: "tree",
  worktreeRemoved: true,
  branchDeleted: true,
  warnings: ["the teardown failed"],
});

it("answers item by item, and forces only with force", async () => {
  const ada = await newTenant();
  const { device, asked } = await onlineDevice(ada, () => ({
    result: { workspaces: [removed(anyId), kept(otherId)] },
  }));
  const workspaceIds = [anyId, otherId];
  expect((await ask(ada, "delete_workspace", { workspaceIds })).data).toEqual({
    deviceId: device.id,
    workspaces: [removed(anyId), kept(otherId)],
  });
  await ask(ada, "delete_workspace", { workspaceIds, force: true, deleteBranch: true });
  expect(asked.map(({ params }) => params)).toEqual([
    { workspaceIds, force: false, deleteBranch: false },
    { workspaceIds, force: true, deleteBranch: true },
  ]);
});

it("reports an error if no item was deleted", async () => {
  const ada = await newTenant();
  await onlineDevice(ada, () => ({ result: { workspaces: [kept(anyId), kept(otherId)] } }));
  expect(await ask(ada, "delete_workspace", { workspaceIds: [anyId, otherId] })).toEqual({
    isError: true,
    text:
      'unsaved_work: No workspace was deleted. "tree 1": unsaved_work: "It has 2 uncommitted files."; ' +
      '"tree 2": unsaved_work: "It has 2 uncommitted files.". Correct what each reason names, then call delete_workspace again.',
    data: undefined,
  });
});

it("accepts one to five", async () => {
  const ada = await newTenant();
  for (const count of [0, 6])
    expect((await ask(ada, "delete_workspace", { workspaceIds: Array(count).fill(anyId) })).text).toMatch(
      /^invalid_input: workspaceIds: Too /,
    );
});
