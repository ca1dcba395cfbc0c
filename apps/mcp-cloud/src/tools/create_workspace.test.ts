import { expect, it } from "vitest";
import { anyId, ask, newTenant, onlineDevice } from "../testing/tool";

it("refuses only the wrong items of create_workspace, each with its error", async () => {
  const ada = await newTenant();
  const { device, asked } = await onlineDevice(ada, ({ params }) => ({
    result: {
      workspaces: (params.workspaces as { name: string }[]).map(({ name }) => ({
        name,
        alreadyExisted: false,
      })),
    },
  }));
  const workspaces = [
    { name: "one" },
    { branchName: "-lead" },
    { name: "   " },
    { name: "x".repeat(201) },
    { name: "two" },
  ];
  const input = { deviceId: device.id, projectId: anyId, workspaces };
  const { data } = await ask(ada, "create_workspace", input);
  const error = { reason: "invalid_input", message: expect.any(String) };
  expect(data?.workspaces).toMatchObject([
    { name: "one" },
    { name: "-lead", error },
    { name: "   ", error },
    { name: "x".repeat(201), error },
    { name: "two" },
  ]);
  expect(asked.at(-1)?.params).toMatchObject({ workspaces: [{ name: "one" }, { name: "two" }] });
  const none = await ask(ada, "create_workspace", { ...input, workspaces: [{ baseBranch: "--x" }] });
  expect(none.text).toMatch(/^invalid_input: No workspace was created\. .*baseBranch: must not begin/);
});

it("refuses only the wrong items of update_workspace", async () => {
  const ada = await newTenant();
  const { device } = await onlineDevice(ada, () => ({ result: { workspaces: [{ id: anyId, name: "a" }] } }));
  const updates = [
    { workspaceId: anyId, name: "a\nb" },
    { workspaceId: anyId, name: "a" },
  ];
  const { data } = await ask(ada, "update_workspace", { deviceId: device.id, updates });
  expect(data?.workspaces).toMatchObject([
    { id: anyId, name: null, error: { reason: "invalid_input" } },
    { id: anyId, name: "a" },
  ]);
});
