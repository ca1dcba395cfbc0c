import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSession } from "@grove/schemas";
import { succeed } from "@grove/testing/process";
import { expect } from "vitest";
import type { Journey } from "./journey";
import { startMachine } from "./machine";
import { someone } from "./people";

/** How long a call may wait for a machine to start and to finish. */
const LONGEST_MS = 55_000;

/**
 * A user on a page, with an online machine, a project on it, and the agent `shell`, which is bash.
 * @param variables environment variables of the machine's programs
 * @param origin the address of the repository's remote, which becomes the project's; without one, the project is a
 * directory of the machine
 */
export async function startWorkbench(
  journey: Journey,
  variables: Record<string, string> = {},
  origin?: string,
) {
  const person = await someone(journey);
  const machine = await startMachine(journey.api.url, variables);
  const { directory, run } = machine;
  const home = join(directory, "home");
  const repository = join(directory, "app");
  await Promise.all([mkdir(home, { mode: 0o700 }), mkdir(repository)]);
  const agents = {
    shell: { command: ["bash", "--norc", "--noprofile"], prompt: "typed", env: { PS1: "$ " } },
  };
  await writeFile(join(home, "config.json"), JSON.stringify({ agents, defaultAgent: "shell" }), {
    mode: 0o600,
  });
  const env = { PATH: process.env.PATH, HOME: directory };
  const git = (...args: string[]) =>
    succeed(["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: repository,
      env,
    });
  await git("init", "--quiet", "--initial-branch", "main");
  await git("commit", "--quiet", "--allow-empty", "--message", "Begin");
  if (origin !== undefined) await git("remote", "add", "origin", origin);
  await run(["register", "--name", "laptop"], { API_KEY: person.apiKey }).ended;
  await run(["project", "add", repository]).ended;
  const { client, organizationId } = person;
  const [project] = await client.project.list.query({ organizationId });
  const [device] = await client.device.list.query({ organizationId });
  if (!project || !device) throw new Error("the machine has no device, or no project");
  const agent = run(["start"]);
  const untilOnline = () =>
    expect
      .poll(async () => (await client.device.get.query({ organizationId, id: device.id })).status)
      .toBe("online");
  const runTool = async (tool: string, params: Record<string, unknown>) => {
    const target = { organizationId, deviceId: device.id, ifOffline: "queue", waitMs: LONGEST_MS } as const;
    const { status, result, error } = await client.agent.execute.mutate({ ...target, tool, params });
    if (status !== "succeeded") throw new Error(`${tool} ended as ${status}: ${JSON.stringify(error)}`);
    return result;
  };
  /** Creates a workspace, and starts a shell in it with these commands. */
  const startShell = async (prompt: string): Promise<AgentSession> => {
    await runTool("create_workspace", { projectId: project.id, workspaces: [{ name: "sign-in" }] });
    const [workspace] = await client.workspace.list.query({ organizationId });
    await runTool("start_agent_session", { workspaceId: workspace?.id, prompt });
    const [session] = await client.agent.listSessions.query({ organizationId });
    if (!session) throw new Error("no session was started");
    return session;
  };
  return { ...person, machine, agent, git, project, device, untilOnline, runTool, startShell };
}

/** A workbench with a shell that runs these commands, on the page of its terminal. */
export async function openShell(journey: Journey, prompt: string) {
  const workbench = await startWorkbench(journey);
  const { page, client, organizationId, startShell } = workbench;
  const session = await startShell(prompt);
  const [organization] = await client.organization.list.query();
  const address = `${journey.api.url}/o/${organization?.slug}/agents/${session.id}`;
  await page.goto(address);
  await page.getByText("Read-only").waitFor();
  return { ...workbench, session, organizationId, address };
}
