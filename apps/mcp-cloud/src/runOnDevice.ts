import { setTimeout as sleep } from "node:timers/promises";
import { type Client, errorData, type Outputs } from "@grove/client";
import { ToolError } from "@grove/mcp";
import {
  commandStatus,
  type DeviceToolName,
  type DeviceToolParams,
  type DeviceToolResult,
  deviceTools,
  id,
  isReadOnlyTool,
  isSettled,
} from "@grove/schemas";
import { limit } from "@grove/signals";
import * as z from "zod";
import { isUnreachable, wasNeverSent } from "./apiErrors";
import type { CloudContext, Identity } from "./apiSession";

/** Time for the answer to arrive after the last wait. */
const MARGIN_MS = 4_000;
const CANCEL_MS = 1_500;

type Command = Outputs["agent"]["getCommand"];

/** A tool's answer, instead of its result, if the command is still running at our deadline. */
const pendingCommand = z.strictObject({
  commandId: id,
  status: commandStatus,
  /** The device's latest progress message, or what the command is waiting for. */
  progress: z.string(),
});
export const pending = pendingCommand.optional();

export type Outcome<Result> =
  | { readonly result: Result; readonly pending?: undefined }
  | { readonly result?: undefined; readonly pending: z.infer<typeof pendingCommand> };

/**
 * Runs a tool on a device, at most once, whatever happens to the connection. Returns its result, or `pending` if it is
 * still running at our deadline. Canceling the MCP call cancels the command.
 * @throws {ToolError} if the device or the API refuses, or the command fails
 */
export async function runOnDevice<Name extends DeviceToolName>(
  context: CloudContext,
  deviceId: string,
  tool: Name,
  params: DeviceToolParams<Name>,
): Promise<Outcome<DeviceToolResult<Name>>> {
  const command = await context.app.call(
    context,
    (client, who, signal) => new Run(context, client, who, signal, { deviceId, tool, params }).settle(),
    {
      timeoutMs: context.app.waits.deadlineMs + MARGIN_MS,
      deviceId,
      onceOnly: true,
      afterLostAnswer: lookAgain(tool),
    },
  );
  return outcomeOf(command, tool);
}

/** A command in progress, and its state between requests. */
class Run {
  /** The same for every attempt, so that a repeated request finds the command instead of creating another. */
  readonly #idempotencyKey = crypto.randomUUID();
  #commandId: string | undefined;
  #failures = 0;
  readonly context: CloudContext;
  readonly client: Client;
  readonly who: Identity;
  readonly signal: AbortSignal;
  readonly work: { deviceId: string; tool: DeviceToolName; params: Record<string, unknown> };

  constructor(
    context: CloudContext,
    client: Client,
    who: Identity,
    signal: AbortSignal,
    work: { deviceId: string; tool: DeviceToolName; params: Record<string, unknown> },
  ) {
    this.context = context;
    this.client = client;
    this.who = who;
    this.signal = signal;
    this.work = work;
  }

  /** Returns the command once it is settled, or as it is at the deadline. */
  async settle(): Promise<Command> {
    try {
      return await this.#untilSettled();
    } catch (error) {
      if (this.context.signal.aborted) await this.#cancel();
      throw error;
    }
  }

  async #untilSettled(): Promise<Command> {
    for (;;) {
      try {
        const command = await this.#ask();
        if (isSettled(command.status) || this.#left() <= 0) return command;
        this.context.progress(progressOf(command), command.progress?.fraction ?? undefined);
      } catch (error) {
        await this.#beforeNextTry(error);
      }
    }
  }

  #left(): number {
    return this.context.app.waits.deadlineMs - (performance.now() - this.context.startedAt);
  }

  async #ask(): Promise<Command> {
    const { organizationId } = this.who;
    const { firstMs, nextMs } = this.context.app.waits;
    const wait = this.#commandId === undefined ? firstMs : nextMs;
    const waitMs = Math.max(0, Math.floor(Math.min(wait, this.#left())));
    const options = { signal: this.signal };
    const command =
      this.#commandId === undefined
        ? await this.client.agent.execute.mutate(
            {
              organizationId,
              ...this.work,
              waitMs,
              idempotencyKey: this.#idempotencyKey,
              cancelOnDisconnect: true,
            },
            options,
          )
        : await this.client.agent.getCommand.query({ organizationId, id: this.#commandId, waitMs }, options);
    this.#commandId = command.id;
    this.#failures = 0;
    return command;
  }

  /** Waits before the request is repeated; rethrows if that is of no use. */
  async #beforeNextTry(error: unknown): Promise<void> {
    if (this.context.signal.aborted) throw error;
    if (this.signal.aborted) throw this.#outOfTouch();
    const data = errorData(error);
    if (data?.code !== "SERVICE_UNAVAILABLE" && !isUnreachable(error)) throw error;
    // The very first request was never sent: the API is not running, and it is not for us to wait for it.
    if (wasNeverSent(error) && this.#failures === 0 && this.#commandId === undefined) throw error;
    const commandId = data?.details?.commandId;
    if (typeof commandId === "string") this.#commandId = commandId;
    const pause = Math.min(250 * 2 ** this.#failures, 5_000);
    this.#failures += 1;
    if (pause >= this.#left()) throw this.#outOfTouch();
    this.context.log.warn("the API went away; asking again", { commandId: this.#commandId, error });
    await sleep(pause, undefined, { signal: this.signal });
  }

  #outOfTouch(): ToolError {
    const { tool, deviceId } = this.work;
    return this.#commandId === undefined
      ? new ToolError(
          "outcome_unknown",
          `The API went away while ${tool} for device ${deviceId} was handed over; the device may or may not get it`,
          lookAgain(tool),
        )
      : new ToolError(
          "outcome_unknown",
          `The API went away while command ${this.#commandId} (${tool}) was running`,
          `Ask get_command with commandId ${this.#commandId} later.`,
        );
  }

  /** Disconnecting cancels a command only while agent.execute itself waits for it. */
  async #cancel(): Promise<void> {
    if (this.#commandId === undefined) return;
    const { organizationId } = this.who;
    await this.client.agent.cancelCommand
      .mutate({ organizationId, id: this.#commandId }, { signal: limit(CANCEL_MS) })
      .catch((error: unknown) => this.context.log.warn("the command was not canceled", { error }));
  }
}

function outcomeOf<Name extends DeviceToolName>(
  command: Command,
  tool: Name,
): Outcome<DeviceToolResult<Name>> {
  if (!isSettled(command.status)) return { pending: toPending(command) };
  if (command.status !== "succeeded") throw failureOf(command);
  const parsed = deviceTools[tool].result.safeParse(command.result);
  if (parsed.success) return { result: parsed.data as DeviceToolResult<Name> };
  throw new ToolError(
    "device_answer_invalid",
    `Device ${command.deviceId} answered ${tool} in a form that this server does not know`,
    `Its agent and this server may have different versions; get_command with commandId ${command.id} shows the raw answer.`,
  );
}

const toPending = (command: Command) => ({
  commandId: command.id,
  status: command.status,
  progress: progressOf(command),
});

/** The progress of a command that is still running. Guesses no cause. */
function progressOf({ progress, status, tool, deviceId }: Command): string {
  if (progress) return progress.message;
  if (status === "queued") return `${tool} waits for device ${deviceId} to take it`;
  if (status === "claimed")
    return `Device ${deviceId} was sent ${tool} and has not reported a start: it is busy, or does not respond`;
  return `${tool} is running`;
}

/** The failure of a command, in the device's own words or as the bare fact. Guesses no cause. */
function failureOf({ id: commandId, tool, deviceId, status, error }: Command): ToolError {
  if (error) return new ToolError(error.reason, error.message, nextSteps[error.reason] ?? "");
  return new ToolError(
    status,
    `Command ${commandId} (${tool}) on device ${deviceId} ended as ${status.replace("_", " ")}`,
    "Check what it has done before you try again.",
  );
}

/** The next step if it is unknown whether a device was given a command. */
function lookAgain(tool: DeviceToolName): string {
  if (isReadOnlyTool(tool)) return "It changes nothing: call it again.";
  return `Look at ${sessionLook[tool] ?? "list_workspaces"} before you try again.`;
}

/** The tool that shows what was done to an agent session. */
const sessionLook: Partial<Record<DeviceToolName, string>> = {
  start_agent_session: "get_workspace_details",
  send_agent_input: "get_agent_session",
  stop_agent_session: "get_agent_session",
};

/** Next steps that the device's own messages do not contain. */
const nextSteps: Record<string, string> = {
  workspace_not_found: "",
  project_not_found: "list_projects shows the existing ids.",
  unknown_agent: "get_app_context shows the installed agents.",
};
