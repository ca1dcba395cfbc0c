import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorData } from "@grove/client";
import { isSettled } from "@grove/schemas";
import type { Command } from "./caller";
import type { Cloud } from "./cloud";
import type { DeviceMachine, Project } from "./device";
import { Work } from "./work";

/** The name of the agent that appends each line that it is typed to a file. */
const LOGGER = "logger";

const source = `
  const { appendFileSync } = require("node:fs");
  const { createInterface } = require("node:readline");
  createInterface({ input: process.stdin }).on("line", (line) => appendFileSync(process.argv[1], line + "\\n"));`;

const logOf = (device: DeviceMachine) => join(device.home, "typed.log");

/** Makes the agent {@link LOGGER} known to a device that has not started yet. */
export const configureLogger = (device: DeviceMachine): Promise<void> =>
  writeFile(
    join(device.home, "config.json"),
    JSON.stringify({
      agents: { [LOGGER]: { command: [process.execPath, "-e", source, logOf(device)], prompt: "typed" } },
    }),
    { mode: 0o600 },
  );

/** Runs a command with one key until it is settled; undefined if it was refused, or if `isOver` returns true. */
async function settled(
  cloud: Cloud,
  device: DeviceMachine,
  tool: string,
  params: Record<string, unknown>,
  isOver: () => boolean,
): Promise<Command | undefined> {
  const { organizationId } = cloud;
  const idempotencyKey = randomUUID();
  while (!isOver()) {
    const client = cloud.client(cloud.instances.find(({ running }) => running));
    const call = { organizationId, deviceId: device.id, tool, params, idempotencyKey, waitMs: 5_000 };
    try {
      const command = await client.agent.execute.mutate(call, { signal: AbortSignal.timeout(30_000) });
      if (isSettled(command.status)) return command;
    } catch (error) {
      const code = errorData(error)?.code;
      if (code !== undefined && !["SERVICE_UNAVAILABLE", "TIMEOUT", "CONFLICT"].includes(code))
        return undefined;
      await sleep(100);
    }
  }
  return undefined;
}

/**
 * Types numbered lines to an agent of the project's device until `over` is aborted and a line was typed, in one session
 * after another: a session ends with its device agent. In a short storm, the first line may be typed only afterwards.
 */
export async function typeLines(
  cloud: Cloud,
  { id: projectId, device }: Project,
  round: number,
  over: AbortSignal,
): Promise<void> {
  const workspaces = [{ baseBranch: Work.base(0) }];
  let hasTyped = false;
  const isOver = () => over.aborted && hasTyped;
  for (let n = 0; !isOver(); ) {
    const command = await settled(cloud, device, "create_workspace", { projectId, workspaces }, isOver);
    const [workspace] = (command?.result as { workspaces: { id: string }[] } | null)?.workspaces ?? [];
    if (!workspace) continue;
    const start = { workspaceId: workspace.id, agent: LOGGER, prompt: `session of round ${round}` };
    const started = await settled(cloud, device, "start_agent_session", start, isOver);
    const { sessionId } = (started?.result as { sessionId: string } | null) ?? {};
    // A device without its terminal module would otherwise be asked for one workspace after another, without an end.
    if (started?.status === "failed" && started.error?.reason === "terminal_missing")
      throw new Error(started.error.message);
    for (let isOpen = sessionId !== undefined; isOpen && !isOver(); n++) {
      const line = { sessionId, text: `round ${round} line ${n}\r`, screen: "live" };
      isOpen = (await settled(cloud, device, "send_agent_input", line, isOver))?.status === "succeeded";
      hasTyped ||= isOpen && (await typedLines([device])) > 0;
    }
  }
}

/** @returns one line for each line that an agent was typed more than once */
export async function checkTyped(devices: readonly DeviceMachine[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const device of devices) {
    const content = await readFile(logOf(device), "utf8").catch(() => "");
    const counts = new Map<string, number>();
    for (const [line] of content.matchAll(/^round \d+ line \d+$/gm))
      counts.set(line, (counts.get(line) ?? 0) + 1);
    for (const [line, count] of counts) if (count > 1) wrong.push(`"${line}" was typed ${count} times`);
  }
  return wrong;
}

/** Counts the lines that were typed into the agents of these devices. */
export async function typedLines(devices: readonly DeviceMachine[]): Promise<number> {
  const contents = await Promise.all(
    devices.map((device) => readFile(logOf(device), "utf8").catch(() => "")),
  );
  return contents.join("").match(/^round \d+ line \d+$/gm)?.length ?? 0;
}
