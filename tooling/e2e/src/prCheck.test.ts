import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProgram, succeed } from "@grove/testing/process";
import { expect, it } from "vitest";
import { connectAgent } from "./support/agent";
import { grove } from "./support/grove";
import { createRepository } from "./support/repository";
import { useGrove } from "./support/useGrove";

const fresh = useGrove();

/** Returns the path of a new workspace of a repository whose check waits for a file, and then for its result. */
async function createWorkspaceWithCheck() {
  const running = await fresh.start("--port", "0");
  const { machine } = fresh;
  const repository = await createRepository(machine, "garden");
  await mkdir(join(repository.path, ".grove"));
  const script =
    'echo waiting; until [ -e "$GROVE_REPOSITORY_PATH/go" ]; do sleep 0.05; done; [ -e watered.txt ]\n';
  await writeFile(join(repository.path, ".grove", "check"), script);
  await repository.git("add", ".grove");
  await repository.git("commit", "--quiet", "--message", "Check");
  await succeed([...running.announced.addProject, "garden"], { env: machine.env, cwd: machine.root });

  const agent = await connectAgent(running);
  const [{ id: projectId } = expect.fail()] = await agent.listProjects();
  const [{ path = "" } = expect.fail()] = await agent.createWorkspaces(projectId, [{ name: "to check" }]);
  await agent.close();
  return { running, repository, path };
}

it("runs the repository's check script by grove pr check, once the machine's owner allows it", async () => {
  const { running, repository, path } = await createWorkspaceWithCheck();
  const command = grove("pr", "check", "--data-dir", running.announced.dataDir);
  const check = () => startProgram(command, { env: fresh.machine.env, cwd: path });
  const refused = await check().ended;
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("allowRepositoryScripts")]);

  const config = join(running.announced.groveHome, "config.json");
  await writeFile(config, JSON.stringify({ allowRepositoryScripts: true }), { mode: 0o600 });
  const failing = check();
  await failing.waitForLine(".grove/check: waiting");
  await writeFile(join(repository.path, "go"), "");
  const failed = await failing.ended;
  expect([failed.code, failed.stdout]).toEqual([
    1,
    expect.stringMatching(/^waiting\nThe check script failed for /),
  ]);

  await writeFile(join(path, "watered.txt"), "");
  const passed = await check().ended;
  expect([passed.code, passed.stdout]).toEqual([
    0,
    "waiting\nThe check script passed for the uncommitted work.\n",
  ]);
});
