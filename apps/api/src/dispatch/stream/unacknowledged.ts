import { type CommandDelivery, protocol } from "@grove/schemas";

/** The commands that were sent to a device and, as far as this process knows, not begun. */
export class Unacknowledged {
  #dueById = new Map<string, number>();
  /** When the table must be read next. */
  nextCheck = Number.POSITIVE_INFINITY;

  /** Notes that a command is being sent. */
  add(command: CommandDelivery): void {
    this.#dueById.set(command.id, performance.now() + protocol.acknowledgeMs);
    this.nextCheck = Math.min(this.nextCheck, performance.now() + protocol.acknowledgeMs);
  }

  /** The device has begun or ended the command. */
  onAcknowledged(id: string): void {
    this.#dueById.delete(id);
  }

  /**
   * Whether the device has had a command for too long without beginning it. The table is read first, because the device
   * may have reported to another process.
   */
  async overdue(stillClaimed: (ids: string[]) => Promise<string[]>): Promise<boolean> {
    const now = performance.now();
    if (now < this.nextCheck) return false;
    const due = [...this.#dueById].filter(([, at]) => at <= now).map(([id]) => id);
    for (const id of due) this.#dueById.delete(id);
    // The others are due within seconds. One read a second is enough for all of them.
    this.nextCheck = this.#dueById.size > 0 ? now + 1_000 : Number.POSITIVE_INFINITY;
    return due.length > 0 && (await stillClaimed(due)).length > 0;
  }
}
