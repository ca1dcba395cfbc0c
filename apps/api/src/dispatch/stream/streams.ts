import { protocol } from "@grove/schemas";
import { record } from "@grove/tracing";
import type { Lease } from "../../instance/lease";
import type { CommandEvent, Inbox, Stream } from "./inbox";

/** How long a device's key counts as in force after it was found to be, unless it is announced as revoked. */
const PROVEN_MS = 60_000;
/** Beats that one process asks for in a second, until they are a minute apart. */
const BEATS_PER_SECOND = 250;

/** The commands that were sent to a device and, as far as this process knows, not begun. */
class Unacknowledged {
  #due = new Map<string, number>();
  /** When the table must be read next. */
  nextCheck = Number.POSITIVE_INFINITY;

  note(command: CommandEvent): CommandEvent {
    const options = {
      parent: command.traceParent,
      kind: "producer",
      attributes: { "grove.command": command.id },
    } as const;
    if (command.traceParent !== undefined) record("command queue", options, timeOf(command.id));
    this.#due.set(command.id, performance.now() + protocol.acknowledgeMs);
    this.nextCheck = Math.min(this.nextCheck, performance.now() + protocol.acknowledgeMs);
    return command;
  }

  /** The device has begun or ended the command. */
  onAcknowledged(id: string): void {
    this.#due.delete(id);
  }

  /**
   * Whether the device has had a command for too long without beginning it. The table is read first, because the device
   * may have reported to another process.
   */
  async overdue(stillClaimed: (ids: string[]) => Promise<string[]>): Promise<boolean> {
    const now = performance.now();
    if (now < this.nextCheck) return false;
    const due = [...this.#due].filter(([, at]) => at <= now).map(([id]) => id);
    for (const id of due) this.#due.delete(id);
    // The others are due within seconds. One read a second is enough for all of them.
    this.nextCheck = this.#due.size > 0 ? now + 1_000 : Number.POSITIVE_INFINITY;
    return due.length > 0 && (await stillClaimed(due)).length > 0;
  }
}

/** When an id of version 7 was made, in milliseconds since 1970. */
const timeOf = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);

/** A stream that is attached to this process. Times are on the clock of `performance.now()`. */
export class LocalStream {
  readonly stream: Stream;
  readonly inbox: Inbox;
  /** The hash of the key that opened it. */
  readonly keyHash: string;
  readonly since = performance.now();
  /** Whether the rows say, under `leaseId`, that the device has answered a beat of this stream. */
  isPresent = false;
  /** The lease that it was opened, or was last found to be the newest, under. */
  leaseId: string;
  /** When the device was last known to answer. */
  answeredAt = performance.now();
  /** When the key was last known to be in force. */
  provenAt = Number.NEGATIVE_INFINITY;
  /** The commands that were sent on it. */
  readonly sent = new Unacknowledged();

  constructor(of: Pick<LocalStream, "stream" | "inbox" | "keyHash" | "leaseId">) {
    this.stream = of.stream;
    this.inbox = of.inbox;
    this.keyHash = of.keyHash;
    this.leaseId = of.leaseId;
  }

  /** Whether the key need not be looked up. */
  get isProven(): boolean {
    return !this.inbox.mustRevalidate && performance.now() - this.provenAt < PROVEN_MS;
  }

  /** Whether the lease speaks for the device, so that its answers need not be written. */
  isHeldUnder(lease: Pick<Lease, "id" | "holds">): boolean {
    return this.isPresent && this.leaseId === lease.id && lease.holds;
  }

  /** The device is known to have answered at this time. */
  answered(at = performance.now()): void {
    this.answeredAt = Math.max(this.answeredAt, at);
  }
}

/** The device streams that are attached to this process. */
export class Streams {
  readonly #streams = new Map<string, LocalStream>();
  readonly #byKey = new Map<string, LocalStream>();
  #onLeft = () => {};

  /**
   * Registers the stream that takes its device's commands on this process, and ends an older one. Returns a function
   * that removes it.
   */
  open(local: LocalStream): () => void {
    const { deviceId, epoch } = local.stream;
    const other = this.#streams.get(deviceId);
    // They connect at the same time, and the newer one was faster.
    if (other && other.stream.epoch > epoch) {
      local.inbox.onSuperseded();
      return () => {};
    }
    other?.inbox.onSuperseded();
    this.#streams.set(deviceId, local);
    this.#byKey.set(local.keyHash, local);
    return () => {
      if (this.#streams.get(deviceId) === local) this.#streams.delete(deviceId);
      if (this.#byKey.get(local.keyHash) === local) this.#byKey.delete(local.keyHash);
      if (this.#streams.size === 0) this.#onLeft();
    };
  }

  /** Resolves when no stream is attached any longer. */
  left(): Promise<void> {
    return new Promise((resolve) => {
      this.#onLeft = resolve;
      if (this.#streams.size === 0) resolve();
    });
  }

  /** The device's stream, if it is attached to this process and keeps up with the commands that it is given. */
  of(deviceId: string): LocalStream | undefined {
    const local = this.#streams.get(deviceId);
    return local?.inbox.hasRoom ? local : undefined;
  }

  /** The stream of this epoch, if it is attached to this process. */
  at(deviceId: string, epoch: number): LocalStream | undefined {
    const local = this.#streams.get(deviceId);
    return local?.stream.epoch === epoch ? local : undefined;
  }

  /** The stream that was opened with the key of this hash. */
  openedWith(keyHash: string): LocalStream | undefined {
    return this.#byKey.get(keyHash);
  }

  get count(): number {
    return this.#streams.size;
  }

  all(): LocalStream[] {
    return [...this.#streams.values()];
  }

  /** The device has reported a start or an end of the command, so it reads its stream. */
  acknowledged(deviceId: string, commandId: string): void {
    this.#streams.get(deviceId)?.sent.onAcknowledged(commandId);
  }
}

/**
 * How often a process with so many streams asks each for a beat: less often the more there are. An agent that obeys no
 * interval expects the usual one.
 */
export function beatMsOf(streams: number, isObeyed = false): number {
  const { beatMs, slowestBeatMs } = protocol;
  if (!isObeyed) return beatMs;
  return Math.min(slowestBeatMs, Math.max(beatMs, (streams / BEATS_PER_SECOND) * 1_000));
}
