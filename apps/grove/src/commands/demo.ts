import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandFor, shell } from "../commandLine";
import { connectAgent } from "../demo/agent";
import { CODING_AGENT, installCodingAgent } from "../demo/codingAgent";
import { createRepository, git } from "../demo/repository";
import { createSteps } from "../demo/steps";
import type { Env } from "../env";
import { runDevice } from "../local/device";
import { startLocal } from "../local/local";
import { print } from "../print";
import { stopSignal } from "../run/stopSignal";

/**
 * `grove demo`: runs local mode in a temporary directory and shows how an agent uses Grove: it finds the device and the
 * project, makes two worktrees and starts a coding agent in each. Prints each step with its time and its result, and
 * cleans up.
 */
export async function demo(
  { keep }: { keep: boolean },
  env: Env,
  say: (text: string) => void,
): Promise<void> {
  const stop = stopSignal(env);
  const directory = await realpath(await mkdtemp(join(tmpdir(), "grove-demo-")));
  const dataDir = join(directory, "data");
  const { step, total } = createSteps(print);
  const toClose: (() => Promise<void>)[] = [];
  try {
    const quiet = { port: 0, verbose: false, say: () => {}, signal: stop };
    const local = await step(
      "Grove starts: API, database, and this machine as a device",
      async () => {
        const started = await startLocal({ env, dataDir, ...quiet });
        toClose.push(started.close);
        return started;
      },
      ({ file, device }) => [`${file.apiUrl}, device ${device.name}`],
    );
    const signal = AbortSignal.any([stop, local.failed]);
    const repository = join(directory, "hello");
    await step(
      "A git repository becomes a project",
      async () => {
        await createRepository(repository, env.forDevice, signal);
        await runDevice(["project", "add", repository], local.deviceEnv, signal);
      },
      () => [repository],
    );
    const agent = await step(
      "An AI agent connects over MCP",
      async () => {
        const connected = await connectAgent(local, signal);
        toClose.push(connected.close);
        return connected;
      },
      ({ server }) => [`its server: ${server}`],
    );
    const found = await step(
      "It finds the device and the project: list_devices, list_projects",
      async () => ({ ...(await agent.listDevices()), ...(await agent.listProjects()) }),
      ({ devices, projects }) => [`device ${devices[0].name}, project ${projects[0].name}`],
    );
    const [device] = found.devices;
    const [project] = found.projects;
    const { workspaces } = await step(
      "It creates two workspaces, each a worktree on its own branch: create_workspace",
      () =>
        agent.createWorkspaces(device.id, project.id, [
          { name: "Login form", branchName: "login-form" },
          { name: "Dark mode", branchName: "dark-mode" },
        ]),
      (made) => made.workspaces.map(({ path }) => path),
    );
    await step(
      "It runs a coding agent in each, here a script without a model: start_agent_session",
      async () => {
        await installCodingAgent(directory, local.file.groveHome);
        return agent.awaitSessions(await agent.startSessions(device.id, CODING_AGENT, workspaces));
      },
      (ended) => ended.map(({ status, output }) => `${status}: ${output.trim().split("\n").at(-1)}`),
    );
    await step(
      "git worktree list, in the repository",
      () => git(["worktree", "list"], { cwd: repository, env: env.forDevice, signal }),
      (listed) => listed.trim().split("\n"),
    );
    print(`Done in ${total()}.\n`);
    if (!keep) print(`Everything was removed again. ${forReal(env)}`);
  } finally {
    for (const close of toClose.reverse()) await close();
    if (keep) say(`Kept: ${directory}\nTo continue with it: ${shell(commandFor(dataDir, env, ["start"]))}`);
    else await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the next steps after the demo. */
const forReal = (env: Env): string => {
  const command = (...words: string[]) => shell(commandFor(env.dataDir, env, words));
  return `To do it for real:

  ${command("start")}
  ${command("project", "add", "<path>")}
  ${command("connect", "claude")}
`;
};
