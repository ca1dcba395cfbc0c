import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shell } from "../announce";
import { connectAgent } from "../demo/agent";
import { CODING_AGENT, installCodingAgent } from "../demo/codingAgent";
import { createRepository, git } from "../demo/repository";
import { createSteps } from "../demo/steps";
import type { Env } from "../env";
import { runDevice } from "../local/device";
import { startLocal } from "../local/local";
import { stopSignal } from "../run/stopSignal";

/**
 * `grove demo`: local mode in a temporary directory, and in it what an agent does with Grove: it finds the device and
 * the project, makes two worktrees and starts a coding agent in each. Prints each step with its time and its result, and cleans up.
 */
export async function demo(
  { keep }: { keep: boolean },
  env: Env,
  say: (text: string) => void,
): Promise<void> {
  const stop = stopSignal();
  const directory = await realpath(await mkdtemp(join(tmpdir(), "grove-demo-")));
  const dataDir = join(directory, "data");
  const { step, total } = createSteps((text) => process.stdout.write(text));
  const toClose: (() => Promise<void>)[] = [];
  try {
    const quiet = { port: 0, verbose: false, say: () => {}, signal: stop };
    const local = await step("Local mode starts: API, database, this machine as a device", async () => {
      const started = await startLocal({ env, dataDir, ...quiet });
      toClose.push(started.close);
      return { value: started, shown: `${started.file.apiUrl}, device ${started.device.name}` };
    });
    const signal = AbortSignal.any([stop, local.failed]);
    const repository = await step("A git repository is there", async () => {
      const path = join(directory, "hello");
      await createRepository(path, env.forDevice, signal);
      return { value: path, shown: path };
    });
    await step("grove-device project add makes it a project", async () => {
      const said = await runDevice(["project", "add", repository], local.deviceEnv, signal);
      return { value: undefined, shown: said };
    });

    const agent = await step("An agent starts mcp-cloud over stdio", async () => {
      const connected = await connectAgent(local, signal);
      toClose.push(connected.close);
      return { value: connected, shown: connected.server };
    });
    const { devices } = await step("It calls list_devices", () => agent.listDevices());
    const { projects } = await step("It calls list_projects", () => agent.listProjects());
    const { workspaces } = await step("It calls create_workspace with two workspaces", () =>
      agent.createWorkspaces(devices[0].id, projects[0].id, [
        { name: "Login form", branchName: "login-form" },
        { name: "Dark mode", branchName: "dark-mode" },
      ]),
    );
    await step("The device's config.json names a coding agent (a script, without a model)", async () => {
      const config = await installCodingAgent(directory, local.file.groveHome);
      return { value: undefined, shown: config };
    });
    const sessions = await step("It calls start_agent_session in each workspace", () =>
      agent.startSessions(devices[0].id, CODING_AGENT, workspaces),
    );
    await step("It calls get_agent_session until both have ended", () => agent.awaitSessions(sessions));
    await step("git worktree list, in the repository", async () => {
      const listed = await git(["worktree", "list"], { cwd: repository, env: env.forDevice, signal });
      return { value: undefined, shown: listed };
    });
    process.stdout.write(`\nDone in ${total()}.\n`);
  } finally {
    for (const close of toClose.reverse()) await close();
    if (keep)
      say(
        `Kept: ${directory}\nTo go on with it: ${shell(["node", ...process.argv.slice(1, 2), "start", "--data-dir", dataDir])}`,
      );
    else await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
