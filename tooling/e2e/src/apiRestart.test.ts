import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createClient } from "@grove/client";
import { isRunning, succeed } from "@grove/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { type Grove, processesOf } from "./support/grove";
import { createRepository } from "./support/repository";
import { useGrove } from "./support/useGrove";

const fresh = useGrove();

const clientOf = ({ local }: Grove) => createClient({ apiUrl: local.apiUrl, token: local.apiKey });

/** Starts an agent session that records its process and then echoes what is typed. */
async function startAgent(running: Grove): Promise<{ sessionId: string; pid: number }> {
  const { machine } = fresh;
  await createRepository(machine, "app");
  await succeed([...running.announced.addProject, "app"], { env: machine.env, cwd: machine.root });
  const agents = { echo: { command: ["sh", "-c", "echo $$ > pid; exec cat", "{prompt}"] } };
  await writeFile(join(running.announced.groveHome, "config.json"), JSON.stringify({ agents }), {
    mode: 0o600,
  });
  const { organizationId, deviceId } = running.local;
  const client = clientOf(running);
  const [project] = await client.project.list.query({ organizationId });
  const execute = async (tool: "create_workspace" | "start_agent_session", params: Record<string, unknown>) =>
    (await client.agent.execute.mutate({ organizationId, deviceId, tool, params })).result as {
      workspaces: { id: string; path: string }[];
      sessionId: string;
    };
  const { workspaces } = await execute("create_workspace", {
    projectId: project?.id,
    workspaces: [{ name: "one" }],
  });
  const [workspace] = workspaces;
  const { sessionId } = await execute("start_agent_session", {
    workspaceId: workspace?.id,
    agent: "echo",
    prompt: "go",
  });
  const pidOf = () => readFile(join(workspace?.path ?? "", "pid"), "utf8").catch(() => "");
  await expect.poll(pidOf).toMatch(/^\d+\n$/);
  return { sessionId, pid: Number(await pidOf()) };
}

it.each(["SIGKILL", "SIGTERM"] as const)(
  "starts the API again after %s, while the device and its agents live on",
  async (signal) => {
    const running = await fresh.start("--port", "0");
    const { sessionId, pid } = await startAgent(running);
    const before = await processesOf(running.announced.dataDir);
    process.kill(before.api ?? 0, signal);
    await running.program.waitForLine(`The API is running again at ${running.announced.apiUrl}`);

    const { organizationId, deviceId } = running.local;
    const client = clientOf(running);
    const statusOf = async () =>
      (await client.device.list.query({ organizationId })).find(({ id }) => id === deviceId)?.status;
    await expect.poll(() => statusOf().catch(String), { timeout: 60_000 }).toBe("online");
    const after = await processesOf(running.announced.dataDir);
    expect(after.device).toBe(before.device);
    expect(after.api).not.toBe(before.api);
    expect(isRunning(pid)).toBe(true);

    const session = { organizationId, id: sessionId };
    // The device may be online by the lease of the API that ended, until it answers the first heartbeat of the new one.
    const input = { ...session, text: "still here\r", screen: "live" as const, idempotencyKey: "still here" };
    const send = () => client.agent.sendInput.mutate(input).catch(String);
    await expect.poll(send, { timeout: 60_000 }).toEqual({ success: true });
    const tail = async () => (await client.agent.sessionTail.query(session)).output;
    await expect.poll(tail, { timeout: 60_000 }).toContain("still here");
    expect(await running.stop()).toBe(0);
    expect(isRunning(pid)).toBe(false);
  },
);

it("ends, and reports why, when the API cannot start again", async () => {
  const { announced, program } = await fresh.start("--port", "0");
  const { api = 0, device = 0 } = await processesOf(announced.dataDir);
  const port = Number(new URL(announced.apiUrl).port);
  process.kill(api, "SIGKILL");
  // The API may have its port again before the other program can take it.
  const take = async () => {
    const other = createServer().listen(port, "127.0.0.1");
    onTestFinished(() => void other.close());
    const isTaken = await once(other, "listening").then(
      () => true,
      () => false,
    );
    if (!isTaken) {
      const { api: again } = await processesOf(announced.dataDir);
      if (again !== undefined && isRunning(again)) process.kill(again, "SIGKILL");
    }
    return isTaken;
  };
  await expect.poll(take, { interval: 5 }).toBe(true);

  const { code, stderr } = await program.ended;
  expect(code).toBe(1);
  expect(stderr).toContain("was ended by SIGKILL");
  expect(stderr).toMatch(
    new RegExp(
      `The API ended 5 times in a row, the last time because: Port ${port} .*is already in use\\..*\n$`,
    ),
  );
  expect(isRunning(device)).toBe(false);
});
