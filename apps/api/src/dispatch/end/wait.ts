import { GroveError } from "@grove/auth";
import { isUnavailable } from "@grove/db";
import { type CommandStatus, isSettled, protocol } from "@grove/schemas";
import { WakeUp } from "../../lib/wakeUp";
import type { Services } from "../../services";
import { announceChanges, type CommandRow, readCommand } from "../command";
import type { EndedColumns } from "./complete";

/** The same when the database could not be reached, or said nothing, unless its listener hears before that it is back. */
const RETRY_MS = 1_000;

/**
 * Waits for a command to settle. Made before the command's row, so that whatever happens to it is heard; for one that is
 * there already use `untilSettled`.
 * Call `close` in a finally.
 */
export class SettledWait {
  readonly #services: Services;
  readonly #wakeUp = new WakeUp();
  #settled: EndedColumns | undefined;
  /** An end was reported, and the database did not say what came of it. */
  #unsure = false;
  readonly close: () => void;

  constructor(services: Services, commandId: string) {
    this.#services = services;
    const unsubscribe = [
      services.dispatch.waiters.onSettled(commandId, (ended) => {
        this.#settled ??= ended;
        this.#unsure = !ended;
        this.#wakeUp.wake();
      }),
      services.database.notifier.subscribe("command_changed", commandId, (event) => {
        const settled = event.kind === "resync" || isSettled(event.detail as CommandStatus);
        if (settled && !services.dispatch.waiters.isSettling(commandId)) this.#wakeUp.wake();
      }),
    ];
    this.close = () => {
      for (const end of unsubscribe) end();
    };
  }

  /**
   * The command's row once it is settled, or as it stands when `waitMs` have passed or the caller has hung up. A database
   * that goes away meanwhile is waited for as well, since the command goes on.
   * @throws SERVICE_UNAVAILABLE `server_draining`, with the command's id, when this process is shutting down
   */
  async row(row: CommandRow, waitMs: number, caller: AbortSignal | undefined): Promise<CommandRow> {
    const { draining } = this.#services;
    const deadline = performance.now() + waitMs;
    let current = row;
    let patience = protocol.fallbackPollMs;
    while (!isSettled(current.status) && !caller?.aborted) {
      const left = deadline - performance.now();
      if (left <= 0) break;
      if (draining.aborted) throw drainingError(row.id);
      await this.#wakeUp.wait(Math.min(left, patience), caller ? [draining, caller] : [draining]);
      patience = this.#unsure ? RETRY_MS : protocol.fallbackPollMs;
      this.#unsure = false;
      try {
        // Also when the time is up: a result that came this instant is reported, not denied.
        current = this.#settled
          ? { ...row, ...this.#settled }
          : await readCommand(this.#services, row.organization_id, row.id);
      } catch (error) {
        if (!isUnavailable(error) || performance.now() + RETRY_MS > deadline) throw error;
        patience = RETRY_MS;
      }
    }
    return current;
  }
}

/** Waits so for a command that somebody else has submitted; see `SettledWait.row`. */
export async function untilSettled(
  services: Services,
  row: CommandRow,
  waitMs: number,
  caller: AbortSignal | undefined,
): Promise<CommandRow> {
  if (waitMs === 0 || isSettled(row.status)) return row;
  // Before this process counts as one that hears of the end: its caller, elsewhere, would not be told.
  await announceChanges(services, row);
  const wait = new SettledWait(services, row.id);
  try {
    const current = await readCommand(services, row.organization_id, row.id);
    return await wait.row(current, waitMs, caller);
  } finally {
    wait.close();
  }
}

const drainingError = (commandId: string) =>
  new GroveError(
    "SERVICE_UNAVAILABLE",
    `This server is shutting down; command ${commandId} goes on. Ask for it with agent.getCommand.`,
    { reason: "server_draining", details: { commandId } },
  );
