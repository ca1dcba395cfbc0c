import type { CommandRow } from "../command";

/** A command with `cancelOnDisconnect` whose caller disconnected while the database was unreachable. */
export interface AbandonedCommand extends Pick<CommandRow, "organization_id" | "id"> {
  /**
   * Only for a command whose row may not exist: the time by which its insert has certainly ended, on the clock of
   * `performance.now()`.
   */
  insertEndsBy?: number;
}

/**
 * The commands to cancel once the database is reachable. They are kept in memory only, since the outage left no other
 * place to record them. If the process ends first, such a command runs to its end or its time-out, like one without
 * `cancelOnDisconnect`.
 */
export class Abandoned {
  readonly #commands = new Map<string, AbandonedCommand>();

  add(command: AbandonedCommand): void {
    this.#commands.set(command.id, command);
  }

  /** Removes and returns all of them. */
  take(): AbandonedCommand[] {
    const commands = [...this.#commands.values()];
    this.#commands.clear();
    return commands;
  }
}
