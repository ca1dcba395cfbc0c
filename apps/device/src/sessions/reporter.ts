import { setTimeout as sleep } from "node:timers/promises";
import type { Inputs } from "@grove/client";
import { type Backoff, backoffMs } from "../cloud/backoff";
import { type Cloud, codeOf } from "../cloud/cloud";
import type { Log } from "../log";
import type { Flow } from "./flow";
import { halve, OutputBuffer } from "./outputBuffer";

type Report = Inputs["agent"]["reportSession"];
/** How a session ended, as the cloud takes it. */
export type SessionEnd = Omit<Extract<Report, { type: "end" }>, "type" | "id">;

const BACKOFF: Backoff = { baseMs: 250, maxMs: 30_000 };
/** Between two chunks of a program that prints a little all the time; a full chunk does not wait. */
const PACE_MS = 100;
/** A chunk that is refused as too large is not made shorter than this. */
const MIN_CHUNK = 1_024;
/** What a program draws at once is read in pieces: half of it is no picture. */
const SETTLE_MS = 10;

/**
 * Tells the cloud of one session, in order: its start has been reported before; then numbered chunks of output and
 * whether it waits for input, then its end. Each report is repeated until the cloud has answered; what is repeated keeps
 * its number, so nothing is there twice. A program that prints faster than the cloud takes is held up; while the cloud
 * cannot be reached it runs on, and the last 256 KiB of its output are kept.
 */
export class Reporter {
  readonly #buffer = new OutputBuffer();
  #sequence = 0;
  #away = false;
  #paused = false;
  #waiting = false;
  #waitingSaid = false;
  #end: SessionEnd | undefined;
  #wake: () => void = () => {};
  #retry = new AbortController();
  #stopped = false;
  /** Resolves when the cloud has the end, or wants to hear nothing of this session. */
  readonly over: Promise<"told" | "refused" | "stopped">;

  constructor(
    private readonly id: string,
    private readonly cloud: Cloud,
    private readonly log: Log,
    private readonly flow: Flow,
    /** Until then the cloud may learn of the session's start after its end, which is repeated so long. */
    private readonly startMayComeUntil = 0,
  ) {
    this.over = this.#run();
  }

  output(text: string): void {
    this.#buffer.add(text);
    if (this.#away) this.#buffer.trim();
    else if (this.#buffer.isFull) this.#hold(true);
    this.#wake();
  }

  waiting(now: boolean): void {
    this.#waiting = now;
    this.#wake();
  }

  end(end: SessionEnd): void {
    this.#end ??= end;
    this.#wake();
  }

  /** Tries at once what waits for its next attempt. */
  retryNow(): void {
    this.#retry.abort();
  }

  /** Reports no more; what was not told stays untold. */
  stop(): void {
    this.#stopped = true;
    this.#retry.abort();
    this.#wake();
  }

  async #run(): Promise<"told" | "refused" | "stopped"> {
    for (;;) {
      if (!this.#buffer.isEmpty && !this.#buffer.isFull && !this.#end) await sleep(SETTLE_MS);
      const report = this.#next();
      if (this.#stopped) return "stopped";
      if (!report) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      if (!(await this.#tell(report))) return this.#stopped ? "stopped" : "refused";
      if (report.type === "end") return "told";
      if (!this.#buffer.isFull) this.#hold(false);
      if (report.type === "output" && report.data.length < 1_024 && !this.#end) await sleep(PACE_MS);
    }
  }

  /** What is to be told next: it is fixed now, and repeated as it is. */
  #next(): Report | undefined {
    const { id } = this;
    if (!this.#buffer.isEmpty)
      return { type: "output", id, sequence: ++this.#sequence, data: this.#buffer.take() };
    if (this.#end) return { type: "end", id, ...this.#end };
    if (this.#waiting !== this.#waitingSaid) {
      this.#waitingSaid = this.#waiting;
      return { type: "waiting", id, waitingForInput: this.#waiting };
    }
    return undefined;
  }

  /** @returns false when the cloud does not know the session, or when this was stopped */
  async #tell(report: Report): Promise<boolean> {
    for (let attempt = 1; !this.#stopped; attempt++) {
      try {
        await this.cloud.reportSession(report);
        this.#away = false;
        return true;
      } catch (error) {
        if (codeOf(error) === "PAYLOAD_TOO_LARGE" && this.#shorten(report)) continue;
        const mayCome =
          report.type === "end" && codeOf(error) === "NOT_FOUND" && Date.now() < this.startMayComeUntil;
        if (REFUSALS.includes(codeOf(error)) && !mayCome) {
          this.log.warn({ err: error, sessionId: this.id }, "the cloud does not want a session's report");
          return false;
        }
        this.log.debug({ err: error, sessionId: this.id }, "a session could not be reported yet");
      }
      this.#away = true;
      this.#buffer.trim();
      this.#hold(false);
      if (this.#retry.signal.aborted) this.#retry = new AbortController();
      await sleep(backoffMs(attempt, BACKOFF), undefined, { signal: this.#retry.signal }).catch(() => {});
    }
    return false;
  }

  /**
   * Something on the way takes less at once than the API. That is no reason to drop anything: the rest of a chunk goes
   * into the next one.
   */
  #shorten(report: Report): boolean {
    if (report.type !== "output" || report.data.length <= MIN_CHUNK) return false;
    const [kept, rest] = halve(report.data);
    report.data = kept;
    this.#buffer.putBack(rest);
    return true;
  }

  #hold(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    if (paused) this.flow.pause();
    else this.flow.resume();
  }
}

/** Anything else, also a device key that is refused, may pass: whether the key is revoked is found out elsewhere. */
const REFUSALS: (string | undefined)[] = ["NOT_FOUND", "BAD_REQUEST", "CONFLICT", "FORBIDDEN"];
