import { setTimeout as sleep } from "node:timers/promises";
import { type Client, errorData } from "@grove/client";
import { ToolError } from "@grove/mcp";
import { type DeviceToolName, type DeviceToolParams, type DeviceToolResult, isSettled } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { backoffMs } from "@grove/signals/backoff";
import { isUnreachable, wasNeverSent } from "./apiErrors";
import type { ApiContext, Identity } from "./apiSession";
import { type Command, nextCheck, type Outcome, outcomeOf, progressOf } from "./outcome";
import { CALL_BACKOFF } from "./retryCall";
import { timeoutFor, waitsOf } from "./waits";

/** Time to cancel a command whose call was canceled. */
const CANCEL_MS = 1_500;

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
    (client, identity, signal) =>
      new CommandRun(context, client, identity, signal, { deviceId, tool, params }).settle(),
    {
      timeoutMs: timeoutFor(waitsOf(context).deadlineMs),
      deviceId,
      onceOnly: true,
      afterLostAnswer: nextCheck(tool),
    },
  );
  return outcomeOf(command, tool);
}

/** A command in progress, and its state between requests. */
class CommandRun {
  /** Reused for every attempt, so that a repeated request finds the command instead of creating another. */
  readonly #idempotencyKey = crypto.randomUUID();
  #commandId: string | undefined;
  #failures = 0;
  readonly context: ApiContext;
  readonly client: Client;
  readonly identity: Identity;
  readonly signal: AbortSignal;
  readonly work: { deviceId: string; tool: DeviceToolName; params: Record<string, unknown> };

  constructor(
    context: ApiContext,
    client: Client,
    identity: Identity,
    signal: AbortSignal,
    work: { deviceId: string; tool: DeviceToolName; params: Record<string, unknown> },
  ) {
    this.context = context;
    this.client = client;
    this.identity = identity;
    this.signal = signal;
    this.work = work;
  }

  /** Returns the command once it is settled, or its state at the deadline. */
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
        const command = await this.#callOnce();
        if (isSettled(command.status) || this.#remainingMs() <= 0) return command;
        this.context.progress(progressOf(command), command.progress?.fraction ?? undefined);
      } catch (error) {
        await this.#backOff(error);
      }
    }
  }

  #remainingMs(): number {
    return waitsOf(this.context).deadlineMs - (performance.now() - this.context.startedAt);
  }

  async #callOnce(): Promise<Command> {
    const { organizationId } = this.identity;
    const { firstMs, nextMs } = waitsOf(this.context);
    const wait = this.#commandId === undefined ? firstMs : nextMs;
    const waitMs = Math.max(0, Math.floor(Math.min(wait, this.#remainingMs())));
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
  async #backOff(error: unknown): Promise<void> {
    if (this.context.signal.aborted) throw error;
    if (this.signal.aborted) throw this.#unreachableError();
    const data = errorData(error);
    if (data?.code !== "SERVICE_UNAVAILABLE" && !isUnreachable(error)) throw error;
    // The first request was never sent: the API is not running, so the call fails immediately.
    if (wasNeverSent(error) && this.#failures === 0 && this.#commandId === undefined) throw error;
    const commandId = data?.details?.commandId;
    if (typeof commandId === "string") this.#commandId = commandId;
    const pause = backoffMs(++this.#failures, CALL_BACKOFF);
    if (pause >= this.#remainingMs()) throw this.#unreachableError();
    this.context.log.warn("the API became unreachable; retrying", { commandId: this.#commandId, error });
    await sleep(pause, undefined, { signal: this.signal });
  }

  #unreachableError(): ToolError {
    const { tool, deviceId } = this.work;
    return this.#commandId === undefined
      ? new ToolError(
          "outcome_unknown",
          `The API became unreachable while ${tool} was sent to device ${deviceId}; the device may or may not get it`,
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
    const { organizationId } = this.identity;
    await this.client.agent.cancelCommand
      .mutate({ organizationId, id: this.#commandId }, { signal: timeoutSignal(CANCEL_MS) })
      .catch((error: unknown) => this.context.log.warn("the command was not canceled", { error }));
  }
}
