import type { CommandEvent } from "./openRows";
import { CLAIM_LIMIT, type Stream } from "./openRows";

/** Hands commands to a device's stream without a read: submission on this process has claimed them for it. */
export class LocalStream {
  #commands: CommandEvent[] = [];

  readonly stream: Stream;
  readonly #inbox: {
    wakeUp: { wake(): void };
    onQueued(): void;
    onSuperseded(): void;
    onRevoked(): void;
    resync(): void;
  };
  readonly #sent: { onAcknowledged(commandId: string): void };

  constructor(
    stream: Stream,
    inbox: {
      wakeUp: { wake(): void };
      onQueued(): void;
      onSuperseded(): void;
      onRevoked(): void;
      resync(): void;
    },
    sent: { onAcknowledged(commandId: string): void },
  ) {
    this.stream = stream;
    this.#inbox = inbox;
    this.#sent = sent;
  }

  /** Whether the stream takes more. A device that reads too slowly gets the rest from the table. */
  get hasRoom(): boolean {
    return this.#commands.length < CLAIM_LIMIT;
  }

  push(command: CommandEvent): void {
    this.#commands.push(command);
    this.#inbox.wakeUp.wake();
  }

  /** A command is queued for the device. */
  onQueued(): void {
    this.#inbox.onQueued();
  }

  /** The database knows a newer stream of the device. */
  onSuperseded(): void {
    this.#inbox.onSuperseded();
  }

  /** The device's key may have been revoked. */
  onRevoked(): void {
    this.#inbox.onRevoked();
  }

  acknowledged(commandId: string): void {
    this.#sent.onAcknowledged(commandId);
  }

  /**
   * A command may have been claimed for this stream without reaching it (a lost answer or wake-up): re-reads the open
   * commands.
   */
  revalidate(): void {
    this.#inbox.resync();
  }

  shift(): CommandEvent | undefined {
    return this.#commands.shift();
  }
}
