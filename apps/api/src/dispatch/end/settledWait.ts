import { GroveError } from "@grove/auth";
import { isUnavailable } from "@grove/db";
import { isSettled, settledStatuses } from "@grove/schemas";
import { FALLBACK_POLL_MS } from "../../lib/fallbackPoll";
import { WakeUp } from "../../lib/wakeUp";
import type { Services } from "../../services";
import type { CommandRow } from "../command";
import { readCommand } from "../readCommand";
import type { EndedColumns } from "./completions";

/**
 * The retry interval while the database is unreachable or its response was lost, unless the notifier reconnects first.
 */
const RETRY_MS = 1_000;

/**
 * Waits for a command to settle. Create it before the command's row, so that it misses no announcement. For a command
 * that already exists use `untilSettled`. Call `close` in a finally.
 */
export class SettledWait {
  readonly #services: Services;
  readonly #wakeUp = new WakeUp();
  #endedColumns: EndedColumns | undefined;
  /** An end was reported, and the database did not confirm whether it was accepted. */
  #mustReread = false;
  readonly close: () => void;

  constructor(services: Services, commandId: string) {
    this.#services = services;
    const unsubscribe = [
      services.dispatch.completions.onSettled(commandId, (ended) => {
        this.#endedColumns ??= ended;
        this.#mustReread = !ended;
        this.#wakeUp.wake();
      }),
      services.database.notifier.subscribe("command_changed", commandId, (event) => {
        const settled = event.kind === "resync" || settledStatuses.some((status) => status === event.detail);
        if (!settled || services.dispatch.completions.isSettling(commandId)) return;
        this.#wakeUp.wake();
      }),
    ];
    this.close = () => {
      for (const end of unsubscribe) end();
    };
  }

  /**
   * Returns the command's row once it is settled, or its current row after `waitMs` or when the caller disconnects. An
   * outage of the database is waited out as well, since the command continues.
   * @throws {GroveError} SERVICE_UNAVAILABLE `server_draining`, with the command's id, when this process is shutting
   * down; `outcome_unknown` when the database has lost the row
   */
  async row(row: CommandRow, waitMs: number, caller: AbortSignal | undefined): Promise<CommandRow> {
    const { draining } = this.#services;
    const deadline = performance.now() + waitMs;
    let current = row;
    let pollMs = FALLBACK_POLL_MS;
    while (!isSettled(current.status) && !caller?.aborted) {
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0) break;
      if (draining.aborted) throw drainingError(row.id);
      const isFallback =
        (await this.#wakeUp.wait(Math.min(remainingMs, pollMs), caller ? [draining, caller] : [draining])) &&
        remainingMs > FALLBACK_POLL_MS &&
        pollMs === FALLBACK_POLL_MS;
      pollMs = this.#mustReread ? RETRY_MS : FALLBACK_POLL_MS;
      this.#mustReread = false;
      try {
        // Read even when the time is up: a result that arrived this instant is returned.
        current = this.#endedColumns ? { ...row, ...this.#endedColumns } : await this.#read(row);
        if (isFallback && isSettled(current.status)) this.#services.metrics?.found("end");
      } catch (error) {
        if (!isUnavailable(error) || performance.now() + RETRY_MS > deadline) throw error;
        pollMs = RETRY_MS;
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
    `This server is shutting down; command ${commandId} continues. Read its state in a few seconds.`,
    { reason: "server_draining", details: { commandId } },
  );
