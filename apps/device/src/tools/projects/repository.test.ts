import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isThere } from "../../lib/fileSystem";
import { member, owner, startTestDevice, testContext } from "../../testing/deps";
import { makeRepository } from "../../testing/repository";
import { configure } from "../../testing/session";
import { gitOverSsh } from "../../testing/ssh";
import { createWorkspaceTool } from "../createWorkspace";

/** A device without a repository, and a project that is cloned over ssh. */
async function setUp() {
  const { git } = await gitOverSsh();
  const device = { ...(await startTestDevice()), git };
  const origin = await makeRepository(join(device.directory, "origin"));
  const project = device.test.addProject({
    repoUrl: `ssh://git@Git.example${encodeURI(origin)}`,
    slug: "app",
  });
  const create = (requester = owner) =>
    createWorkspaceTool(device).run(
      { projectId: project.id, workspaces: [{}] },
      testContext(undefined, requester),
    );
  return { device, project, create };
}

it("other users can have repositories cloned only from the hosts that the device's owner lists", async () => {
  const { device, create } = await setUp();
  await expect(create(member)).rejects.toMatchObject({
    reason: "host_not_allowed",
    message: expect.stringContaining("git.example"),
  });
  await configure(device, {}, { cloneHosts: ["github.com"] });
  await expect(create(member)).rejects.toMatchObject({ reason: "host_not_allowed" });
  expect(await device.store.projects()).toEqual([]);
  await configure(device, {}, { cloneHosts: ["github.com", "*.example"] });
  expect((await create(member)).workspaces).toMatchObject([{ baseBranch: "origin/main" }]);
});

it("the owner can have them cloned from anywhere, and others use existing clones", async () => {
  const { create } = await setUp();
  expect((await create(owner)).workspaces[0]?.error).toBeUndefined();
  expect((await create(member)).workspaces[0]?.error).toBeUndefined();
});

it.each([
  ["an id that leads out of the home", { id: "../../precious" }],
  ["another project's id", { id: crypto.randomUUID() }],
  ["a slug that leads out of the home", { slug: "../../precious" }],
])("an answer of the API with %s is refused, and nothing is touched", async (_, fields) => {
  const { device, project } = await setUp();
  const precious = join(device.directory, "precious");
  await mkdir(precious);
  await writeFile(join(precious, "work"), "");
  device.test.projects.set(project.id, { ...project, ...fields });
  const create = createWorkspaceTool(device).run(
    { projectId: project.id, workspaces: [{ name: "one" }] },
    testContext(),
  );
  await expect(create).rejects.toMatchObject({ reason: "cloud_unreachable" });
  // Asking again would take minutes and be of no use.
  expect(device.test.count("project.get")).toBe(1);
  expect(await isThere(join(precious, "work"))).toBe(true);
  expect(await device.store.projects()).toEqual([]);
});
