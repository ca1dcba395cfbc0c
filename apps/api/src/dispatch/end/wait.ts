import { EventEmitter } from "node:events";
import { GroveError } from "@grove/auth";
import { isUnavailable } from "@grove/db";
import { isSettled, settledStatuses } from "@grove/schemas";
import { FALLBACK_POLL_MS, WakeUp } from "../../lib/wakeUp";
import type { Services } from "../../services";
import { type CommandRow, readCommand } from "../command";
import type { Ended, EndedColumns } from "./complete";

/**
 * The retry interval while the database is unreachable or its answer was lost, unless the notifier reconnects first.
 */
const RETRY_MS = 1_000;

/**
 * Hands the end of a command to the callers that wait for it in this process. That spares them a notification and a
 * read.
 */
export class Waiters {
  readonly #settling = new Set<string>();
  readonly #settled = new EventEmitter<Record<string, [EndedColumns | undefined]>>().setMaxListeners(0);

  /**
   * Calls `listener` when the command is settled through this process: with the changed columns, or without them if the
   * database did not confirm the report. Returns a function that unsubscribes.
   */
  onSettled(commandId: string, listener: (ended: EndedColumns | undefined) => void): () => void {
    this.#settled.on(commandId, listener);
    return () => this.#settled.off(commandId, listener);
  }

  /** Runs the statement that settles a command, and hands the result to its waiters. */
  async handOver(commandId: string, settle: () => Promise<Ended | undefined>): Promise<Ended | undefined> {
    this.#settling.add(commandId);
    let ended: Ended | undefined;
    try {
      ended = await settle();
      return ended;
    } finally {
      this.#settling.delete(commandId);
      this.#settled.emit(commandId, ended?.columns);
    }
  }

  /** Whether an end is about to be handed over. Its announcement may come first, and is redundant. */
  isSettling(commandId: string): boolean {
    return this.#settling.has(commandId);
  }
}

/**
 * Waits for a command to settle. Make it before the command's row, so that it misses nothing. For a command that
 * already exists use `untilSettled`. Call `close` in a finally.
 */
export class SettledWait {
  readonly #services: Services;
  readonly #wakeUp = new WakeUp();
  #settled: EndedColumns | undefined;
  /** An end was reported, and the database did not confirm whether it was accepted. */
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
        const settled = event.kind === "resync" || settledStatuses.some((status) => status === event.detail);
        if (!settled || services.dispatch.waiters.isSettling(commandId)) return;
        this.#wakeUp.wake();
      }),
    ];
    this.close = () => {
      for (const end of unsubscribe) end();
    };
  }

  /**
   * The command's row once it is settled, or as it is when `waitMs` have passed or the caller has disconnected. An
   * outage of the database is waited out as well, since the command continues.
   * @throws {GroveError} SERVICE_UNAVAILABLE `server_draining`, with the command's id, when this process is shutting
   * down; `outcome_unknown` when the database has lost the row
   */
  async row(row: CommandRow, waitMs: number, caller: AbortSignal | undefined): Promise<CommandRow> {
    const { draining } = this.#services;
    const deadline = performance.now() + waitMs;
    let current = row;
    let patience = FALLBACK_POLL_MS;
    while (!isSettled(current.status) && !caller?.aborted) {
      const left = deadline - performance.now();
      if (left <= 0) break;
      if (draining.aborted) throw drainingError(row.id);
      const isFallback =
        (await this.#wakeUp.wait(Math.min(left, patience), caller ? [draining, caller] : [draining])) &&
        left > FALLBACK_POLL_MS &&
        patience === FALLBACK_POLL_MS;
      patience = this.#unsure ? RETRY_MS : FALLBACK_POLL_MS;
      this.#unsure = false;
      try {
        // Read even when the time is up: a result that arrived this instant is returned.
        current = this.#settled ? { ...row, ...this.#settled } : await this.#read(row);
        if (isFallback && isSettled(current.status)) this.#services.metrics?.found("end");
      } catch (error) {
        if (!isUnavailable(error) || performance.now() + RETRY_MS > deadline) throw error;
        patience = RETRY_MS;
      }
    }
    return current;
  }

  /** @throws {GroveError} SERVICE_UNAVAILABLE `outcome_unknown` if the row has vanished since */
  async #read({ organization_id, id }: CommandRow): Promise<CommandRow> {
    const current = await this.#services.dispatch.read(organization_id, id);
    if (current) return current;
    throw new GroveError(
      "SERVICE_UNAVAILABLE",
      `The database no longer has command ${id}, which it had accepted: it was probably restored to an earlier state. The work may have been done. Check the machine before you send it again.`,
      { reason: "outcome_unknown", details: { possibleCommandId: id } },
    );
  }
}

/** Waits for a command that another request has submitted; see `SettledWait.row`. */
export async function untilSettled(
  services: Services,
  row: CommandRow,
  waitMs: number,
  caller: AbortSignal | undefined,
): Promise<CommandRow> {
  if (waitMs === 0 || isSettled(row.status)) return row;
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
    `This server is shutting down; command ${commandId} continues. Read it with agent.getCommand.`,
    { reason: "server_draining", details: { commandId } },
  );
