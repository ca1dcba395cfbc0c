import { EventEmitter } from "node:events";
import type { CommandRow } from "./command";
import type { Ended, EndedColumns } from "./end/complete";
import { CLAIM_LIMIT, type CommandEvent, type Stream } from "./stream/openRows";

/** A command whose caller hung up while the database was away, and wanted it canceled in that case. */
export interface Abandoned extends Pick<CommandRow, "organization_id" | "id"> {
  /**
   * Only for a command that may never have been made: when its insert has ended for certain, on the clock of
   * `performance.now()`.
   */
  insertEndsBy?: number;
}

/**
 * What the dispatch of this process tells itself without the database: it spares a command two statements and
 * an announcement. Who waits in another process is told by notifications, and the rows are the truth.
 */
export class LocalDispatch {
  readonly #streams = new Map<string, LocalStream>();
  readonly #settling = new Set<string>();
  readonly #settled = new EventEmitter<Record<string, [EndedColumns | undefined]>>().setMaxListeners(0);

  readonly #abandoned = new Map<string, Abandoned>();

  /** Keeps a command that is to be canceled when the database is back. */
  cancelLater(command: Abandoned): void {
    this.#abandoned.set(command.id, command);
  }

  /** Takes the commands that `cancelLater` has kept. */
  takeAbandoned(): Abandoned[] {
    const commands = [...this.#abandoned.values()];
    this.#abandoned.clear();
    return commands;
  }

  /** Makes a stream the one that takes its device's commands from here. Returns what ends that. */
  open(stream: LocalStream): () => void {
    const { deviceId } = stream.stream;
    this.#streams.set(deviceId, stream);
    return () => {
      if (this.#streams.get(deviceId) === stream) this.#streams.delete(deviceId);
    };
  }

  /** The device's stream, if it hangs on this process and keeps up with what it is given. */
  streamOf(deviceId: string): LocalStream | undefined {
    const stream = this.#streams.get(deviceId);
    return stream?.hasRoom ? stream : undefined;
  }

  /** The streams of all devices that hang on this process. */
  streams(): LocalStream[] {
    return [...this.#streams.values()];
  }

  /** The device reports that it has begun the command, or how it ended: it reads its stream. */
  acknowledged(deviceId: string, commandId: string): void {
    this.#streams.get(deviceId)?.acknowledged(commandId);
  }

  /** Calls `listener` with what has changed when the command is settled through this process; without it when that is not known. */
  onSettled(commandId: string, listener: (ended: EndedColumns | undefined) => void): () => void {
    this.#settled.on(commandId, listener);
    return () => this.#settled.off(commandId, listener);
  }

  /** Whether anybody waits in this process for the command to settle. */
  isAwaited(commandId: string): boolean {
    return this.#settled.listenerCount(commandId) > 0;
  }

  /** Runs the statement that settles a command, and hands what it has changed to who waits here. */
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

  /** Whether an end is about to be handed over: its announcement, which may come first, says nothing more. */
  isSettling(commandId: string): boolean {
    return this.#settling.has(commandId);
  }
}

/** Commands on their way into a device's stream, claimed for it when they were submitted. */
export class LocalStream {
  #commands: CommandEvent[] = [];

  constructor(
    readonly stream: Stream,
    private readonly inbox: {
      wakeUp: { wake(): void };
      onQueued(): void;
      onSuperseded(): void;
      onRevoked(): void;
      resync(): void;
    },
    private readonly sent: { onAcknowledged(commandId: string): void },
  ) {}

  /** A device that reads too slowly finds the rest in the table. */
  get hasRoom(): boolean {
    return this.#commands.length < CLAIM_LIMIT;
  }

  push(command: CommandEvent): void {
    this.#commands.push(command);
    this.inbox.wakeUp.wake();
  }

  /** Something is queued for the device. */
  onQueued(): void {
    this.inbox.onQueued();
  }

  /** It is not the device's newest stream, by the database. */
  onSuperseded(): void {
    this.inbox.onSuperseded();
  }

  /** The device's key may have been revoked. */
  onRevoked(): void {
    this.inbox.onRevoked();
  }

  acknowledged(commandId: string): void {
    this.sent.onAcknowledged(commandId);
  }

  /** A command may have been claimed for this stream that is not on it: the database, or a wake-up, never said so. */
  doubt(): void {
    this.inbox.resync();
  }

  shift(): CommandEvent | undefined {
    return this.#commands.shift();
  }
}
