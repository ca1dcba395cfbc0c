import type { NotifierEvent } from "@grove/db";
import { WakeUp } from "../../lib/wakeUp";

/** Collects the notifications of a device's stream between two turns of its loop, and wakes the loop. */
export class Inbox {
  readonly wakeUp = new WakeUp();
  newestEpoch = 0;
  /** True at first: the key may have been revoked before the subscription began. */
  #mustRevalidate = true;
  #claimed: string[] = [];
  #canceled: string[] = [];
  #settled: string[] = [];
  #resync = false;
  #queued = false;
  #superseded = false;

  onWake(event: NotifierEvent): void {
    if (event.kind === "resync") this.#queued = this.#resync = true;
    else {
      const [what, value = ""] = event.detail.split(" ");
      if (what === "") this.#queued = true;
      if (what === "claimed") this.#claimed.push(value);
      if (what === "cancel") this.#canceled.push(value);
      if (what === "settled") this.#settled.push(value);
      if (what === "epoch") this.newestEpoch = Math.max(this.newestEpoch, Number(value));
    }
    this.wakeUp.wake();
  }

  /** A command is queued for the device. */
  onQueued(): void {
    this.#queued = true;
    this.wakeUp.wake();
  }

  /** The database knows a newer stream of the device. */
  onSuperseded(): void {
    this.#superseded = true;
    this.wakeUp.wake();
  }

  get isSuperseded(): boolean {
    return this.#superseded;
  }

  /** A command may have been claimed and never handed over: everything open is sent again. */
  resync(): void {
    this.#resync = true;
    this.wakeUp.wake();
  }

  onRevoked(): void {
    this.#mustRevalidate = true;
    this.wakeUp.wake();
  }

  /** Whether the device's key must be checked again. */
  takeRevalidation(): boolean {
    const must = this.#mustRevalidate;
    this.#mustRevalidate = false;
    return must;
  }

  /** The ids of commands that another process claimed for this stream. */
  takeClaimed(): string[] {
    return this.#claimed.splice(0);
  }

  takeCanceled(): string[] {
    return this.#canceled.splice(0);
  }

  takeSettled(): string[] {
    return this.#settled.splice(0);
  }

  takeQueued(): boolean {
    const queued = this.#queued;
    this.#queued = false;
    return queued;
  }

  takeResync(): boolean {
    const resync = this.#resync;
    this.#resync = false;
    return resync;
  }
}
