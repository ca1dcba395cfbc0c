import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools } from "@grove/schemas";
import { expect, it } from "vitest";
import { member, startTestDevice, type TestDevice, testContext } from "../../testing/deps";
import { git, makeRepository } from "../../testing/repository";
import { addProjectTool } from "./addProject";
import { listDirectoriesTool } from "./listDirectories";

/** A device whose user has the test's directory as the home directory. */
async function startUserDevice(): Promise<TestDevice> {
  const device = await startTestDevice();
  return { ...device, programEnv: { ...device.programEnv, HOME: device.directory } };
}

async function complete(device: TestDevice, path?: string) {
  const { params, result } = deviceTools.list_directories;
  const { directories, truncated } = result.parse(
    await listDirectoriesTool(device).run(params.parse({ path }), testContext()),
  );
  return { truncated, paths: directories.map((each) => `${each.path}${each.isRepository ? " (git)" : ""}`) };
}

it("completes a path as the owner types it, and marks repositories", async () => {
  const device = await startUserDevice();
  const { directory } = device;
  await makeRepository(join(directory, "code", "app"));
  await mkdir(join(directory, "code", "Apple"));
  await mkdir(join(directory, "code", ".cache"));
  await writeFile(join(directory, "code", "application.txt"), "");
  await symlink(join(directory, "code", "app"), join(directory, "code", "apt"));
  await symlink("nowhere", join(directory, "code", "apx"));
  expect((await complete(device)).paths).toEqual(["~/code", "~/home"]);
  expect((await complete(device, "~")).paths).toEqual(["~/code", "~/home"]);
  expect((await complete(device, "co")).paths).toEqual(["code"]);
  expect((await complete(device, "~/code/ap")).paths).toEqual([
    "~/code/app (git)",
    "~/code/Apple",
    "~/code/apt (git)",
  ]);
  expect((await complete(device, `${directory}/code/`)).paths).not.toContain(`${directory}/code/.cache`);
  expect((await complete(device, `${directory}/code/.`)).paths).toEqual([`${directory}/code/.cache`]);
  expect(await complete(device, "~/nothing/here")).toEqual({ truncated: false, paths: [] });
  expect((await complete(device, "~/code/application.txt/")).paths).toEqual([]);
});

it("completes at most 50 directories, and reports the limit", async () => {
  const device = await startUserDevice();
  const many = join(device.directory, "many");
  for (let n = 0; n < 51; n++) await mkdir(join(many, `d${n}`), { recursive: true });
  const { paths, truncated } = await complete(device, "~/many/");
  expect([paths.length, truncated]).toEqual([50, true]);
  expect(await complete(device, "~/many/d50")).toEqual({ truncated: false, paths: ["~/many/d50"] });
});

it("adds the project of a path once, with the command line's errors", async () => {
  const device = await startUserDevice();
  const root = await makeRepository(join(device.directory, "code", "app"));
  const add = async (path: string) =>
    deviceTools.add_project.result.parse(await addProjectTool(device).run({ path }, testContext()));
  const first = await add("~/code/app");
  expect(first).toMatchObject({
    project: { name: "app", slug: "app", path: await realpath(root) },
    alreadyAdded: false,
    warnings: [],
  });
  expect(await add(root)).toMatchObject({ project: { id: first.project.id }, alreadyAdded: true });
  await expect(add("~/code")).rejects.toMatchObject({
    reason: "not_a_repository",
    message: expect.stringContaining("git init"),
  });
  await expect(add("~/none")).rejects.toMatchObject({ message: expect.stringContaining("does not exist") });
  await git(["init", "--quiet", join(device.directory, "empty")], { cwd: device.directory });
  expect((await add("~/empty")).warnings).toEqual([expect.stringContaining("no commits")]);
});

it("does neither for another member", async () => {
  const device = await startUserDevice();
  await makeRepository(join(device.directory, "app"));
  const context = testContext(undefined, member);
  const refusal = { reason: "owner_only" };
  await expect(listDirectoriesTool(device).run({ path: "" }, context)).rejects.toMatchObject(refusal);
  await expect(addProjectTool(device).run({ path: "~/app" }, context)).rejects.toMatchObject(refusal);
  expect(await device.store.projects()).toEqual([]);
});
