import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isSettled } from "@grove/schemas";
import { backoffMs } from "@grove/signals/backoff";
import { type DeviceApi, isTransient } from "../cloud/deviceApi";
import type { Log } from "../log";
import { Ended } from "./outcome";

const REPORT_EVERY_MS = 1_000;
const MAX_LINE_LENGTH = 1_000;
/** How often a command that waits for a slot is reported. The API sends it again after a minute without a report. */
const REPORT_WAIT_EVERY_MS = 10_000;

interface Line {
  message: string;
  fraction?: number | undefined;
  waiting?: true;
}

const WAITING_LINE: Line = {
  message: "Waiting for a free slot: the device already runs the maximum number of commands of this kind",
  waiting: true,
};

interface ReportTo {
  cloud: DeviceApi;
  journalId: string;
  log: Log;
}

/** A command from its delivery to its end. */
export class Job {
  readonly #abort = new AbortController();
  /** The newest line of progress that has not been sent. */
  #line: Line | undefined;
  #isWaiting = false;
  /** When the API last accepted the report that the command is waiting. */
  #waitReportedAt: number | undefined;
  /** Whether the API has answered that the command is running. */
  #startKnown = false;
  /** How often the API has sent the command again. A response to an earlier report does not count. */
  #deliveries = 0;
  over: Promise<void> = Promise.resolve();

  readonly id: string;

  constructor(id: string) {
    this.id = id;
    // Each program that a tool runs adds a listener, and so does the wait for a turn.
    setMaxListeners(0, this.#abort.signal);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  end(why: Ended["why"]): void {
    this.#abort.abort(new Ended(why));
  }

  progress(message: string, fraction?: number): void {
    this.#line = { message: message.slice(0, MAX_LINE_LENGTH), fraction };
  }

  /** Whether the command waits for a free slot of its tool. Its time-out does not run yet. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  waitForSlot(): void {
    this.#isWaiting = true;
  }

  takeSlot(): void {
    this.#isWaiting = false;
    if (this.#waitReportedAt !== undefined) this.progress("Started after it had waited for a free slot");
  }

  /** Reports the start again. Call it when the API has sent the command again: it may have lost the first report. */
  reportStartAgain(): void {
    this.#deliveries++;
    this.#startKnown = false;
    this.#waitReportedAt = undefined;
  }

  /**
   * Reports a long-running command until `over` is aborted: waiting for a slot, started, then its newest progress at
   * intervals. A report counts once the API answers `running`; a command that was requeued in the meantime is answered
   * `queued`. Ends the job when the API has settled the command.
   */
  async report({ cloud, journalId, log }: ReportTo, over: AbortSignal): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { signal: over }).catch(() => {});
    const report = { id: this.id, journalId };
    let failures = 0;
    while (!over.aborted) {
      const line: Line | undefined = this.#isWaiting ? WAITING_LINE : this.#line;
      try {
        if (this.#isDue(line)) {
          const deliveries = this.#deliveries;
          const { status } = await (line ? cloud.progress({ ...report, ...line }) : cloud.start(report));
          if (line === WAITING_LINE && status === "claimed" && deliveries === this.#deliveries)
            this.#waitReportedAt = performance.now();
          if (isSettled(status)) this.end(status === "canceled" ? "canceled" : "given_up");
          const isRunning = status === "running";
          this.#startKnown = isRunning && deliveries === this.#deliveries;
          if (isRunning && this.#line === line) this.#line = undefined;
          failures = 0;
        }
        await pause(REPORT_EVERY_MS);
      } catch (error) {
        if (!isTransient(error)) {
          log.warn({ err: error, commandId: this.id }, "the start could not be reported");
          return;
        }
        await pause(backoffMs(++failures, { baseMs: 250, maxMs: 10_000 }));
      }
    }
  }

  #isDue(line: Line | undefined): boolean {
    if (line === WAITING_LINE)
      return performance.now() - (this.#waitReportedAt ?? Number.NEGATIVE_INFINITY) > REPORT_WAIT_EVERY_MS;
    return line !== undefined || !this.#startKnown;
  }
}
