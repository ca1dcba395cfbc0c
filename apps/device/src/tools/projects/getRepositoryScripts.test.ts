import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { pruneScriptRuns } from "../../home/scriptRuns";
import { startTestDevice, testContext } from "../../testing/deps";
import { commit } from "../../testing/repository";
import { createWorkspaceTool } from "../createWorkspace";
import { deleteWorkspaceTool } from "../deleteWorkspace";
import { getRepositoryScriptsTool } from "./getRepositoryScripts";

/** A device with a repository that has these scripts. */
async function startWith(scripts: Record<string, string>, config?: object) {
  const device = await startTestDevice();
  const { id: projectId, path } = await device.addRepository("app");
  await mkdir(join(path, ".grove"));
  for (const [name, script] of Object.entries(scripts)) await commit(path, `.grove/${name}`, script);
  if (config) await writeFile(device.home.configFile, JSON.stringify(config), { mode: 0o600 });
  const read = async () =>
    deviceTools.get_repository_scripts.result.parse(
      await getRepositoryScriptsTool(device).run({ projectId }, testContext()),
    );
  const lastRun = async (name: string) =>
    (await read()).scripts.find((script) => script.name === name)?.lastRun;
  const create = async (name: string, context = testContext()) =>
    (await createWorkspaceTool(device).run({ projectId, workspaces: [{ name }] }, context)).workspaces[0];
  return { device, projectId, path, read, lastRun, create };
}

const allowed = { allowRepositoryScripts: true };

it("reports which scripts the base has, and the file in which the owner can allow them", async () => {
  const { device, read, create } = await startWith({ setup: "echo ran" });
  const { configFile } = device.home;
  await create("one");
  expect(await read()).toEqual({
    allowed: false,
    configFile,
    configFileExists: false,
    base: "main",
    scripts: [
      { name: "setup", path: ".grove/setup", exists: true, lastRun: null },
      { name: "teardown", path: ".grove/teardown", exists: false, lastRun: null },
      { name: "check", path: ".grove/check", exists: false, lastRun: null },
    ],
  });
  await writeFile(configFile, JSON.stringify(allowed), { mode: 0o600 });
  expect(await read()).toMatchObject({ allowed: true, configFileExists: true });
});

it("keeps the last run of each script, also a failed one, for the user of the agent only", async () => {
  const { device, lastRun, create } = await startWith(
    {
      setup:
        'echo "for $GROVE_WORKSPACE_NAME"; [ "$GROVE_WORKSPACE_NAME" = one ] || { echo broken >&2; exit 7; }',
      teardown: "echo bye",
    },
    allowed,
  );
  const made = await create("one");
  expect(await lastRun("setup")).toEqual({
    at: expect.any(String),
    exitCode: 0,
    timedOut: false,
    output: "for one\n",
    workspaceName: "one",
  });
  expect(await lastRun("teardown")).toBeNull();
  const params = { workspaceIds: [made?.id ?? ""], force: false, deleteBranch: false };
  await deleteWorkspaceTool(device).run(params, testContext());
  expect(await lastRun("teardown")).toMatchObject({ exitCode: 0, output: "bye\n", workspaceName: "one" });
  expect((await create("two"))?.error?.reason).toBe("setup_failed");
  expect(await lastRun("setup")).toMatchObject({ exitCode: 7, workspaceName: "two" });
  expect((await lastRun("setup"))?.output.split("\n").toSorted()).toEqual(["", "broken", "for two"]);
  const { scriptRunsDir } = device.home;
  const files = await readdir(scriptRunsDir);
  expect(files).toHaveLength(2);
  for (const file of files) expect((await stat(join(scriptRunsDir, file))).mode & 0o777).toBe(0o600);
});

it("keeps at most 6 KiB of the output", async () => {
  const { lastRun, create } = await startWith({ setup: "seq 5000" }, allowed);
  await create("one");
  const { output = "" } = (await lastRun("setup")) ?? {};
  expect(output.endsWith("\n4999\n5000\n")).toBe(true);
  expect(output).toHaveLength(6 * 1024);
});

it("distinguishes a script that took too long from one that could not be started", async () => {
  const { path, lastRun, create } = await startWith(
    { setup: "echo begun; exec sleep 600" },
    { ...allowed, scriptTimeoutSeconds: 1 },
  );
  await create("one");
  expect(await lastRun("setup")).toMatchObject({ exitCode: null, timedOut: true, output: "begun\n" });
  await commit(path, ".grove/setup", "#!/no/such/program\n");
  await create("two");
  expect(await lastRun("setup")).toMatchObject({
    exitCode: null,
    timedOut: false,
    output: expect.stringMatching(/could not be run .*ENOENT/),
  });
});

it("keeps the run of a canceled setup", async () => {
  const { lastRun, create } = await startWith({ setup: "echo begun; exec sleep 600" }, allowed);
  const abort = new AbortController();
  const context = testContext(abort.signal);
  const failed = expect(create("one", context)).rejects.toThrow("canceled");
  await until(() => context.lines.includes(".grove/setup: begun"));
  abort.abort(new Error("canceled"));
  await failed;
  expect(await lastRun("setup")).toMatchObject({ exitCode: null, timedOut: false, output: "begun\n" });
});

it("removes the runs of a project that is no longer on the device", async () => {
  const { device, projectId, read, create, lastRun } = await startWith({ setup: "echo ran" }, allowed);
  await create("one");
  await pruneScriptRuns(device.home);
  expect(await lastRun("setup")).not.toBeNull();
  await rm(join(device.home.projectsDir, `${projectId}.json`));
  await expect(read()).rejects.toMatchObject({ reason: "repository_not_on_device" });
  await pruneScriptRuns(device.home);
  expect(await readdir(device.home.scriptRunsDir)).toEqual([]);
});
