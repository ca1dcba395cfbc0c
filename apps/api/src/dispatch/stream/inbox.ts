import { type DeviceWake, type NotifierEvent, parseDeviceWake } from "@grove/db";
import type { CommandDelivery } from "@grove/schemas";
import { WakeUp } from "../../lib/wakeUp";
import type { CommandRow } from "../command";

/** The most commands that are held for a stream and not sent yet. */
const MAX_UNSENT = 100;

/**
 * Collects a device's notifications and commands between two iterations of its stream's loop, and wakes the loop. A
 * command that this process claimed for the stream on submission is pushed here, without another read.
 */
export class Inbox {
  readonly wakeUp = new WakeUp();
  newestEpoch = 0;
  /** True at first: the key may have been revoked before the subscription began. */
  #mustRevalidate = true;
  #commands: ClaimedCommand[] = [];
  #claimed: string[] = [];
  #canceled: string[] = [];
  #settled: string[] = [];
  #watched: string[] = [];
  #resync = false;
  #queued: "announced" | "found" | undefined;
  #superseded = false;

  onWake(event: NotifierEvent): void {
    if (event.kind === "resync") {
      this.#queued = "announced";
      this.#resync = true;
    } else {
      const wake = parseDeviceWake(event.detail);
      if (wake) this.#collect(wake);
    }
    this.wakeUp.wake();
  }

  #collect(wake: DeviceWake): void {
    switch (wake.kind) {
      case "queued":
        this.#queued = "announced";
        break;
      case "claimed":
        this.#claimed.push(wake.value);
        break;
      case "cancel":
        this.#canceled.push(wake.value);
        break;
      case "settled":
        this.#settled.push(wake.value);
        break;
      case "watch":
        this.#watched.push(wake.value);
        break;
      case "epoch":
        this.newestEpoch = Math.max(this.newestEpoch, Number(wake.value));
    }
  }

  /** Adds a command that was just claimed for the stream. Its full time-out remains. */
  push(row: CommandRow): void {
    this.#commands.push({
      command: toDelivery({
        ...row,
        remaining_ms: row.timeout_ms,
        start_within_ms: Date.parse(row.queue_expires_at) - Date.parse(row.created_at),
      }),
      at: performance.now(),
    });
    this.wakeUp.wake();
  }

  /** Whether more commands may be pushed. A device that reads too slowly gets further ones from the table. */
  get acceptsCommands(): boolean {
    return this.#commands.length + this.#claimed.length < MAX_UNSENT;
  }

  /** Call this when the fallback poll has found a command that is queued for the device. */
  onQueued(): void {
    this.#queued ??= "found";
    this.wakeUp.wake();
  }

  /** Call this when the database has a newer stream of the device. */
  onSuperseded(): void {
    this.#superseded = true;
    this.wakeUp.wake();
  }

  get isSuperseded(): boolean {
    return this.#superseded;
  }

  /**
   * Sends everything open again. Call this when a command may have been claimed for this stream without reaching it,
   * after a lost response or wake-up.
   */
  resync(): void {
    this.#resync = true;
    this.wakeUp.wake();
  }

  /** Call this when the device's key may have been revoked. */
  onRevoked(): void {
    this.#mustRevalidate = true;
    this.wakeUp.wake();
  }

  /** Whether the device's key may have been revoked since it was checked. */
  get mustRevalidate(): boolean {
    return this.#mustRevalidate;
  }

  /** Returns whether the device's key must be checked again, and resets that. The caller must check it. */
  takeRevalidation(): boolean {
    const must = this.#mustRevalidate;
    this.#mustRevalidate = false;
    return must;
  }

  /** Removes and returns the next pushed command. */
  takeCommand(): ClaimedCommand | undefined {
    return this.#commands.shift();
  }

  /** Removes and returns everything collected, except commands: see {@link takeCommand} and {@link takeQueued}. */
  drain(): Pending {
    const resync = this.#resync;
    this.#resync = false;
    return {
      resync,
      claimed: this.#claimed.splice(0),
      canceled: this.#canceled.splice(0),
      settled: this.#settled.splice(0),
      watched: this.#watched.splice(0),
    };
  }

  /** Whether a command is queued. */
  get isQueued(): boolean {
    return this.#queued !== undefined;
  }

  /** Returns how this process learned of a queued command; undefined if none is queued. */
  takeQueued(): "announced" | "found" | undefined {
    const queued = this.#queued;
    this.#queued = undefined;
    return queued;
  }
}

/** The events that a stream has yet to send, apart from commands that are pushed or queued. */
export interface Pending {
  /** Whether everything open is sent again, since some of it may not have reached the device. */
  resync: boolean;
  /** The ids of commands that another process claimed for this stream. */
  claimed: string[];
  canceled: string[];
  settled: string[];
  /** The ids of sessions that viewers have begun to watch. */
  watched: string[];
}

/** A command that this process claimed, and when, on the clock of `performance.now()`. */
interface ClaimedCommand {
  command: CommandDelivery;
  at: number;
}

/** The columns of a command's row that its device receives. */
export type SendableRow = Pick<
  CommandRow,
  "id" | "device_id" | "tool" | "params" | "requested_by" | "trace_parent"
> & {
  remaining_ms: number;
  start_within_ms: number;
};

export const toDelivery = (row: SendableRow): CommandDelivery => ({
  type: "command",
  id: row.id,
  deviceId: row.device_id,
  tool: row.tool,
  params: row.params,
  remainingMs: Math.max(0, Math.round(row.remaining_ms)),
  startWithinMs: Math.max(0, Math.round(row.start_within_ms)),
  requestedBy: row.requested_by,
  ...(row.trace_parent !== null && { traceParent: row.trace_parent }),
});

/** One device's newest stream. */
export interface Stream {
  organizationId: string;
  deviceId: string;
  journalId: string;
  epoch: number;
}
