import { randomUUID } from "node:crypto";
import { chmod, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import type { AgentCommand } from "../home/config";
import { sessionProcesses } from "../sessions/process/processes";
import type { Requester } from "../tool";
import { owner, startTestDevice, type TestDevice, testContext } from "./deps";
import { makeRepository } from "./repository";

/** Writes the device's configuration: these agents, and any other given settings. */
export async function configure(
  { home }: Pick<TestDevice, "home">,
  agents: Record<string, Partial<AgentCommand>>,
  rest: object = {},
): Promise<void> {
  await writeFile(home.configFile, JSON.stringify({ agents, ...rest }), { mode: 0o600 });
  await chmod(home.configFile, 0o600);
}

/** Adds a workspace to this device's store; only its directory is real. */
async function addWorkspace(device: TestDevice): Promise<{ id: string; path: string }> {
  const id = randomUUID();
  const path = await makeRepository(join(device.directory, `tree ${id}`), { commits: 0 });
  await device.store.saveWorkspace({
    id,
    projectId: randomUUID(),
    name: "tree",
    branch: "main",
    baseBranch: "main",
    baseCommit: "0".repeat(40),
    path,
    portBase: 20_000,
    createdAt: new Date().toISOString(),
  });
  return { id, path };
}

/** Starts a session of the agent that a test describes, and collects its reports to the API. */
export async function startTestSession(
  device: TestDevice,
  workspaceId: string,
  agent: Partial<AgentCommand>,
  prompt = "the prompt",
  { requester = owner, config = {} }: { requester?: Requester; config?: object } = {},
) {
  await configure(device, { test: agent }, config);
  const context = testContext(undefined, requester);
  const { sessionId, pid } = await device.sessions.start({ workspaceId, agent: "test", prompt }, context);
  const reports = () => device.test.sessionReports.filter(({ id }) => id === sessionId);
  const chunks = () => reports().flatMap((report) => (report.type === "output" ? [report] : []));
  const output = () =>
    chunks()
      .map(({ data }) => data)
      .join("");
  return {
    id: sessionId,
    pid,
    context,
    chunks,
    output,
    type: (text: string, screen: number | "live" | undefined = "live") =>
      device.sessions.type(sessionId, text, screen),
    /** Waits until the API has received this text. */
    said: (words: string) => until(() => output().includes(words)),
    /** Waits for a matching report. */
    reported: (type: string, fields: object = {}) =>
      until(() =>
        reports().find(
          (report) =>
            report.type === type &&
            Object.entries(fields).every(([name, value]) => Reflect.get(report, name) === value),
        ),
      ),
    /** Waits until no file of the session is left on disk. */
    forgotten: () => until(async () => (await readdir(device.home.sessionsDir)).length === 0),
    processes: () => sessionProcesses({ sessionId }),
  };
}

/** A device with one workspace. */
export async function startSessionDevice(maxRequestBytes?: number) {
  const device = await startTestDevice(maxRequestBytes);
  return { device, workspace: await addWorkspace(device) };
}

/** A node program as an agent: its source, then its arguments. */
export const node = (source: string, ...args: string[]): string[] => [
  process.execPath,
  "-e",
  source,
  ...args,
];
