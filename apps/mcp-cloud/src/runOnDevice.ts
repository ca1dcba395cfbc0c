import { setTimeout as sleep } from "node:timers/promises";
import { type Client, errorData } from "@grove/client";
import { ToolError } from "@grove/mcp";
import { type DeviceToolName, type DeviceToolParams, type DeviceToolResult, isSettled } from "@grove/schemas";
import { limit } from "@grove/signals";
import { isUnreachable, wasNeverSent } from "./apiErrors";
import { type ApiContext, type Identity, RESERVE_MS } from "./apiSession";
import { type Command, nextCheck, type Outcome, outcomeOf, progressOf } from "./outcome";

/** How long a tool waits for its command on the device. */
export interface Waits {
  /** Time from the call's start after which a tool answers even if its command is still running. */
  readonly deadlineMs: number;
  /** Nearly every command ends within this time, with a single request and no progress to report. */
  readonly firstMs: number;
  /** The interval of progress reports after that. */
  readonly nextMs: number;
}

const defaultWaits = { firstMs: 2_000, nextMs: 5_000 };
/** A command that is not done this long before the call's end is `pending`; the remaining time is for a last read. */
const PENDING_MS = RESERVE_MS + 10_000;

/** Time for the answer to arrive after the last wait. */
const MARGIN_MS = 4_000;
/** Time to cancel a command whose call was canceled. */
const CANCEL_MS = 1_500;

const waitsOf = ({ app, timeMs }: ApiContext): Waits => ({
  deadlineMs: timeMs - PENDING_MS,
  ...defaultWaits,
  ...app.waits,
});

/**
 * Runs a tool on a device, at most once, even if the connection breaks. Returns its result, or `pending` if it is still
 * running at the deadline. Canceling the MCP call cancels the command.
 * @throws {ToolError} if the device or the API refuses, or the command fails
 */
export async function runOnDevice<Name extends DeviceToolName>(
  context: ApiContext,
  deviceId: string,
  tool: Name,
  params: DeviceToolParams<Name>,
): Promise<Outcome<DeviceToolResult<Name>>> {
  const command = await context.app.call(
    context,
    (client, who, signal) => new Run(context, client, who, signal, { deviceId, tool, params }).settle(),
    {
      timeoutMs: waitsOf(context).deadlineMs + MARGIN_MS,
      deviceId,
      onceOnly: true,
      afterLostAnswer: nextCheck(tool),
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
  readonly context: ApiContext;
  readonly client: Client;
  readonly who: Identity;
  readonly signal: AbortSignal;
  readonly work: { deviceId: string; tool: DeviceToolName; params: Record<string, unknown> };

  constructor(
    context: ApiContext,
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
    return waitsOf(this.context).deadlineMs - (performance.now() - this.context.startedAt);
  }

  async #ask(): Promise<Command> {
    const { organizationId } = this.who;
    const { firstMs, nextMs } = waitsOf(this.context);
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

  /** Waits before the request is repeated; rethrows an error that a retry cannot fix. */
  async #beforeNextTry(error: unknown): Promise<void> {
    if (this.context.signal.aborted) throw error;
    if (this.signal.aborted) throw this.#outOfTouch();
    const data = errorData(error);
    if (data?.code !== "SERVICE_UNAVAILABLE" && !isUnreachable(error)) throw error;
    // The first request was never sent: the API is not running, so the call fails immediately.
    if (wasNeverSent(error) && this.#failures === 0 && this.#commandId === undefined) throw error;
    const commandId = data?.details?.commandId;
    if (typeof commandId === "string") this.#commandId = commandId;
    const pause = Math.min(250 * 2 ** this.#failures, 5_000);
    this.#failures += 1;
    if (pause >= this.#left()) throw this.#outOfTouch();
    this.context.log.warn("the API became unreachable; retrying", { commandId: this.#commandId, error });
    await sleep(pause, undefined, { signal: this.signal });
  }

  #outOfTouch(): ToolError {
    const { tool, deviceId } = this.work;
    return this.#commandId === undefined
      ? new ToolError(
          "outcome_unknown",
          `The API became unreachable while ${tool} for device ${deviceId} was handed over; the device may or may not get it`,
          nextCheck(tool),
        )
      : new ToolError(
          "outcome_unknown",
          `The API became unreachable while command ${this.#commandId} (${tool}) was running`,
          `Call get_command with commandId ${this.#commandId} later.`,
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
