import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, errorData, type Inputs, type Outputs } from "@grove/client";
import { type ErrorData, isSettled } from "@grove/schemas";
import type { Cloud } from "./cloud";
import type { Project } from "./device";
import { Work } from "./work";

export type Command = Outputs["agent"]["getCommand"];

/** A request for one piece of work, and its caller's answer. */
export interface Asked {
  n: number;
  project: Project;
  key: string;
  /** Begins with `grove`; the device makes one if this is omitted. */
  branchName?: string;
  commandId?: string;
  /** The settled command that the caller got, or a refusal if nothing was queued. */
  answer?: Command;
  refusal?: string;
  /** The caller asked once and may have hung up, so the command may be unknown to it. */
  mayBeUnanswered?: true;
  /** The command that a second caller with the same key got. */
  other?: Command;
}

type Options = Partial<Pick<Inputs["agent"]["execute"], "timeoutMs" | "queueTtlMs" | "waitMs" | "ifOffline">>;

/** Whether a call may be retried: no command was queued, or it is unknown whether one was. */
const isTransient = ({ code, reason }: ErrorData): boolean =>
  code === "SERVICE_UNAVAILABLE" || code === "TIMEOUT" || reason === "device_busy";

const WAIT_MS = 5_000;
const PAUSE_MS = 100;
/** Longer than any storm: a command that expires in the queue is settled in the calm after the storm. */
const TIMEOUT_MS = 900_000;

export const newRequest = (project: Project, n: number): Asked => ({ n, project, key: randomUUID() });

/** Requests one piece of work, once, without waiting for its end. */
export async function submit(
  cloud: Cloud,
  asked: Asked,
  options: Options = {},
  client = cloud.client(),
): Promise<Command> {
  const command = await client.agent.execute.mutate(inputOf(cloud, asked, { waitMs: 0, ...options }));
  asked.commandId = command.id;
  return command;
}

/**
 * Executes a command as mcp-cloud does: with one idempotency key, retrying after every fault until the command is
 * settled.
 * @throws {Error} when the API gives an answer that it must never give, above all an internal error
 */
export async function askUntilSettled(
  cloud: Cloud,
  asked: Asked,
  options: Options = {},
  clients: () => Client = () => cloud.client(),
): Promise<Asked> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    if (performance.now() > end)
      throw new Error(`Command ${asked.commandId} (work ${asked.n}) was never settled.`);
    try {
      const command = await askOnce(cloud, asked, options, clients());
      asked.commandId = command.id;
      if (isSettled(command.status)) return Object.assign(asked, { answer: command });
    } catch (error) {
      const data = errorData(error);
      const { commandId } = data?.details ?? {};
      if (typeof commandId === "string") asked.commandId = commandId;
      if (data?.reason === "device_offline") return Object.assign(asked, { refusal: data.reason });
      // An error without data is not from the API: the API was unreachable, or died before it answered.
      if (data && !isTransient(data)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Asks once, without an idempotency key, as a caller that does not ask again.
 * @param hangUpMs the time after which the caller disconnects, which cancels the command
 */
export async function askWithoutKey(
  cloud: Cloud,
  asked: Asked,
  client: Client,
  hangUpMs?: number,
): Promise<void> {
  asked.mayBeUnanswered = true;
  const { idempotencyKey, ...input } = inputOf(cloud, asked, { waitMs: 50_000 });
  const signal = AbortSignal.timeout(hangUpMs ?? 60_000);
  try {
    const call = { ...input, cancelOnDisconnect: hangUpMs !== undefined };
    const command = await client.agent.execute.mutate(call, { signal });
    asked.commandId = command.id;
    if (isSettled(command.status)) asked.answer = command;
  } catch (error) {
    const data = errorData(error);
    if (data && !isTransient(data)) throw error;
  }
}

/** Two callers ask with one key at the same time. */
export async function askTogether(cloud: Cloud, asked: Asked, clients: () => Client): Promise<void> {
  const other = newRequest(asked.project, asked.n);
  other.key = asked.key;
  await Promise.all([askUntilSettled(cloud, asked, {}, clients), askUntilSettled(cloud, other, {}, clients)]);
  if (other.answer) asked.other = other.answer;
}

function askOnce(cloud: Cloud, asked: Asked, options: Options, client: Client): Promise<Command> {
  const signal = AbortSignal.timeout(WAIT_MS + 25_000);
  const { commandId: id } = asked;
  if (id === undefined)
    return client.agent.execute.mutate(inputOf(cloud, asked, { waitMs: WAIT_MS, ...options }), { signal });
  return client.agent.getCommand.query(
    { organizationId: cloud.organizationId, id, waitMs: WAIT_MS },
    { signal },
  );
}

const inputOf = ({ organizationId }: Cloud, { project, n, key, branchName }: Asked, options: Options) => ({
  organizationId,
  deviceId: project.device.id,
  tool: "create_workspace",
  params: { projectId: project.id, workspaces: [{ baseBranch: Work.base(n), branchName }] },
  ifOffline: "queue" as const,
  idempotencyKey: key,
  ...options,
});
