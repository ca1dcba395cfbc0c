import { expect, it } from "vitest";
import { projectFields } from "../testing/fixtures";
import { failure, useTestServer } from "../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const eve = await server.signUp("Eve");
const { organizationId } = ada;

const createWorkspace = async () => {
  const { id: projectId } = await ada.client.project.create.mutate({ organizationId, ...projectFields() });
  const input = {
    projectId,
    organizationId,
    name: "one",
    type: "worktree",
    config: { branchName: "one" },
  } as const;
  return { input, workspace: await ada.client.workspace.create.mutate(input) };
};

// Contract: user.get
it("user.get returns the caller", async () => {
  expect(await ada.client.user.get.query()).toMatchObject({
    id: ada.user.id,
    email: ada.user.email,
    name: "Ada",
    image: "",
  });
});

// Contract: guards.public
it("a public procedure needs no credential", async () => {
  const refused = await failure(
    server.client().organization.getInvitation.query({ token: "grove_inv_none" }),
  );
  expect(refused.code).toBe("NOT_FOUND");
});

// Contract: guards.protected
it("a protected procedure asks a caller without a session to sign in", async () => {
  expect(await failure(server.client().user.get.query())).toMatchObject({
    code: "UNAUTHORIZED",
    message: "Not authenticated. Please sign in.",
  });
});

// Contract: workspace.create
it("workspace.create returns the workspace that it made", async () => {
  const { input, workspace } = await createWorkspace();
  expect(workspace).toMatchObject(input);
  expect(workspace.id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
});

// Contract: workspace.delete, workspace.delete.authorization, workspace.list
it("workspace.delete deletes only for a member of the workspace's organization", async () => {
  const { workspace } = await createWorkspace();
  const listed = async () =>
    (await ada.client.workspace.list.query({ organizationId })).map(({ id, name }) => ({ id, name }));
  const { id } = workspace;
  await failure(eve.client.workspace.delete.mutate({ id, organizationId }));
  await failure(eve.client.workspace.delete.mutate({ id, organizationId: eve.organizationId }));
  expect(await listed()).toContainEqual({ id, name: "one" });
  expect(await ada.client.workspace.delete.mutate({ id, organizationId })).toEqual({ success: true });
  expect(await listed()).not.toContainEqual({ id, name: "one" });
});

// Contract: device.register, device.platforms
it("device.register accepts three platforms", async () => {
  for (const platform of ["mac", "windows", "linux"] as const) {
    const device = await ada.client.device.register.mutate({ organizationId, name: platform, platform });
    expect(device).toMatchObject({ name: platform, platform, apiKey: expect.any(String) });
  }
  const other = ada.client.device.register.mutate({
    organizationId,
    name: "BSD",
    platform: "freebsd" as "linux",
  });
  expect((await failure(other)).code).toBe("BAD_REQUEST");
});
