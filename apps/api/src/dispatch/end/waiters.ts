import { EventEmitter } from "node:events";
import type { Ended, EndedColumns } from "./complete";

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

  /** Whether anyone waits in this process for the command to settle. */
  isAwaited(commandId: string): boolean {
    return this.#settled.listenerCount(commandId) > 0;
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

  /** Whether an end is about to be handed over. Its announcement may come first, and adds nothing. */
  isSettling(commandId: string): boolean {
    return this.#settling.has(commandId);
  }
}
