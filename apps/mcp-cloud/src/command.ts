import { setTimeout as delay } from "node:timers/promises";
import { type Client, errorData, type Outputs } from "@grove/client";
import { ToolError } from "@grove/mcp";
import {
  type DeviceToolName,
  type DeviceToolParams,
  type DeviceToolResult,
  deviceTools,
  isSettled,
} from "@grove/schemas";
import * as z from "zod";
import { isUnreachable, wasNeverSent } from "./apiErrors";
import type { CloudContext, Identity } from "./cloud";

/** Room for the answer to travel after the last wait. */
const MARGIN_MS = 4_000;
const CANCEL_MS = 1_500;

type Command = Outputs["agent"]["getCommand"];

/** What a tool answers, instead of its result, when its command is still going at our deadline. */
export const pending = z.string().optional();

export type Outcome<Result> =
  | { readonly result: Result; readonly pending?: undefined }
  | { readonly result?: undefined; readonly pending: string };

/**
 * Runs a tool on a device: at most once, whatever happens to the connection. Returns its result, or `pending` when it
 * is still going at our deadline. Throws a ToolError for what the device or the API says against it. Canceled with the
 * MCP call.
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
    { timeoutMs: context.app.waits.deadlineMs + MARGIN_MS, deviceId },
  );
  return outcomeOf(command, tool);
}

/** One command on its way: what is known of it between requests. */
class Run {
  readonly #startedAt = performance.now();
  /** The same for every try, so that a repeated request finds the command and does not make another. */
  readonly #idempotencyKey = crypto.randomUUID();
  #commandId: string | undefined;
  #failures = 0;

  constructor(
    readonly context: CloudContext,
    readonly client: Client,
    readonly who: Identity,
    readonly signal: AbortSignal,
    readonly work: { deviceId: string; tool: DeviceToolName; params: Record<string, unknown> },
  ) {}

  /** The command once it is settled, or as it stands at the deadline. */
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
        const { message, fraction } = command.progress ?? {};
        this.context.progress(message ?? `${this.work.tool} is ${command.status}`, fraction ?? undefined);
      } catch (error) {
        await this.#beforeNextTry(error);
      }
    }
  }

  #left(): number {
    return this.context.app.waits.deadlineMs - (performance.now() - this.#startedAt);
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

  /** Waits before the request is repeated; throws where that is of no use. */
  async #beforeNextTry(error: unknown): Promise<void> {
    if (this.context.signal.aborted) throw error;
    if (this.signal.aborted) throw this.#outOfTouch();
    const data = errorData(error);
    if (data?.code !== "SERVICE_UNAVAILABLE" && !isUnreachable(error)) throw error;
    // A first request that never left: nobody is home, and waiting for them is not ours to decide.
    if (wasNeverSent(error) && this.#failures === 0 && this.#commandId === undefined) throw error;
    const commandId = data?.details?.commandId;
    if (typeof commandId === "string") this.#commandId = commandId;
    const pause = Math.min(250 * 2 ** this.#failures, 5_000);
    this.#failures += 1;
    if (pause >= this.#left()) throw this.#outOfTouch();
    this.context.log.warn("the API went away; asking again", { commandId: this.#commandId, error });
    await delay(pause, undefined, { signal: this.signal });
  }

  #outOfTouch(): ToolError {
    const { tool, deviceId } = this.work;
    return this.#commandId === undefined
      ? new ToolError(
          "outcome_unknown",
          `The API went away while ${tool} for device ${deviceId} was handed over; whether it was taken is not known`,
          "Look at list_workspaces before you try again.",
        )
      : new ToolError(
          "outcome_unknown",
          `The API went away while command ${this.#commandId} (${tool}) was under way`,
          `Ask get_command with commandId ${this.#commandId} later.`,
        );
  }

  /** Hanging up cancels only what agent.execute itself was waiting for. */
  async #cancel(): Promise<void> {
    if (this.#commandId === undefined) return;
    const { organizationId } = this.who;
    await this.client.agent.cancelCommand
      .mutate({ organizationId, id: this.#commandId }, { signal: AbortSignal.timeout(CANCEL_MS) })
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
    `Device ${command.deviceId} answered ${tool} in a form this server does not know`,
    `get_command with commandId ${command.id} shows it as it is; its agent and this server may be of different versions.`,
  );
}

function toPending({ id, status, progress }: Command): string {
  const said = progress ? ` (${JSON.stringify(progress.message)})` : "";
  return `Command ${id} is ${status}${said}. Call get_command with commandId ${id} to wait for its result.`;
}

/** What became of a command that did not succeed. No cause is guessed: it is the device's own word, or the bare fact. */
function failureOf(command: Command): ToolError {
  const about = `Command ${command.id} (${command.tool}) on device ${command.deviceId}`;
  const details = `get_command with commandId ${command.id} has the details.`;
  const { error } = command;
  if (error) return new ToolError(error.reason, error.message, details);
  return new ToolError(command.status, `${about} ended as ${command.status.replace("_", " ")}`, details);
}
