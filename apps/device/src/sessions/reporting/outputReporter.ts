import { setTimeout as sleep } from "node:timers/promises";
import type { Inputs } from "@grove/client";
import { sessionPace } from "@grove/schemas";
import { type Backoff, backoffMs } from "@grove/signals/backoff";
import { codeOf, type DeviceApi } from "../../cloud/deviceApi";
import type { Log } from "../../log";
import { halve, OutputBuffer } from "./outputBuffer";
import { type Pauses, TYPING, USUAL } from "./pauses";

type Report = Inputs["agent"]["reportSession"];
/** How a session ended, in the form that the cloud accepts. */
export type SessionEnd = Omit<Extract<Report, { type: "end" }>, "type" | "id">;

/** The lines on the screen of a program that waits for input. */
export interface Question {
  questionText: string;
  /** The number of the terminal's screen. */
  screen: number;
}

/** The agent's state and open requests, in the form that the API accepts. */
export type StateReport = Omit<Extract<Report, { type: "state" }>, "type" | "id" | "number">;

const BACKOFF: Backoff = { baseMs: 250, maxMs: 30_000 };
/** How long after an input the session counts as typed into. */
const TYPING_MS = 2_000;
/**
 * The cloud may report the next viewer late, so output is reported at the watched pace for this long after a viewer
 * came.
 */
const WATCHED_MS = 10_000;
/** The least length of a chunk that is shortened because it was refused as too large. */
const MIN_CHUNK = 1_024;

/**
 * Reports one session to the cloud, in order, after its start: numbered chunks of output and whether it waits for
 * input, then its end. Each report is repeated until the cloud has answered, under the same number, so nothing is
 * stored twice. A program never waits for the cloud: if more output is unreported than the cloud would keep, it is
 * dropped, and the next chunk resets the terminal to what its screen shows then.
 */
export class OutputReporter {
  readonly #buffer = new OutputBuffer();
  #sequence = 0;
  /** Whether output was dropped that no chunk has replaced yet. */
  #isBehind = false;
  #screenRequests = 0;
  /** Undefined if the program does not wait. */
  #question: Question | undefined;
  /** The question that was last reported. */
  #reportedQuestion: Question | undefined;
  /** The newest state that has not been reported. */
  #state: StateReport | undefined;
  #stateNumber = 0;
  #end: SessionEnd | undefined;
  #wake: () => void = () => {};
  #retry = new AbortController();
  #pace = new AbortController();
  #typingUntil = 0;
  #watchedUntil = 0;
  /** The pause that the cloud has requested. */
  #paceMs: number = sessionPace.watchedMs;
  #stopped = false;
  /** Resolves when the cloud has confirmed the end, or refuses further reports of this session. */
  readonly over: Promise<"reported" | "refused" | "stopped">;
  readonly #id: string;
  readonly #cloud: Pick<DeviceApi, "reportSession">;
  readonly #log: Log;
  readonly #screenAsOutput: () => Promise<string>;
  /** The end is repeated until this time, because the report of the session's start may arrive late. */
  readonly #startMayComeUntil: number;

  /**
   * @param screenAsOutput returns output that makes a terminal show what the session's screen shows, once that shows
   * everything printed until the call
   */
  constructor(
    id: string,
    cloud: Pick<DeviceApi, "reportSession">,
    log: Log,
    screenAsOutput: () => Promise<string>,
    startMayComeUntil = 0,
  ) {
    this.#id = id;
    this.#cloud = cloud;
    this.#log = log;
    this.#screenAsOutput = screenAsOutput;
    this.#startMayComeUntil = startMayComeUntil;
    this.over = this.#run();
  }

  output(text: string): void {
    if (!this.#isBehind) this.#buffer.add(text);
    if (this.#buffer.isFull) {
      this.#isBehind = true;
      this.#buffer.clear();
    }
    if (this.#buffer.bytes >= sessionPace.unwatchedBytes) this.#pace.abort();
    this.#wake();
  }

  /** @param question undefined if the program does not wait */
  waiting(question: Question | undefined): void {
    this.#question = question;
    this.#pace.abort();
    this.#wake();
  }

  /** Reports what the agent does, before any output that was not sent yet. Only the newest state is reported. */
  state(state: StateReport): void {
    this.#state = state;
    this.#pace.abort();
    this.#wake();
  }

  /** Reports the program's output with shorter pauses for the next two seconds. Call it when a user has typed. */
  onTyped(): void {
    this.#typingUntil = performance.now() + TYPING_MS;
    this.#pace.abort();
  }

  /** Reports the batched output now, and then at the usual pace. Call it when a viewer has come. */
  onWatched(): void {
    this.#watchedUntil = performance.now() + WATCHED_MS;
    this.#pace.abort();
  }

  /** Replaces dropped output by what the screen shows. Call it before the screen is closed. */
  async catchUp(): Promise<void> {
    if (!this.#isBehind) return;
    // Output that is printed from now on follows the screen, which replaces all that came before.
    this.#isBehind = false;
    this.#buffer.clear();
    const request = ++this.#screenRequests;
    const screen = await this.#screenAsOutput();
    // A later call may have got a newer screen.
    if (request === this.#screenRequests) this.#buffer.addBefore(screen);
  }

  end(end: SessionEnd): void {
    this.#end ??= end;
    this.#pace.abort();
    this.#wake();
  }

  /** Retries a waiting report immediately. */
  retryNow(): void {
    this.#retry.abort();
  }

  /** Stops reporting; unreported output and ends stay unreported. */
  stop(): void {
    this.#stopped = true;
    this.#retry.abort();
    this.#pace.abort();
    this.#wake();
  }

  async #run(): Promise<"reported" | "refused" | "stopped"> {
    for (;;) {
      if (!this.#buffer.isEmpty && !this.#buffer.isFull && !this.#end) await sleep(this.#pauses.settleMs);
      await this.catchUp();
      const report = this.#next();
      if (this.#stopped) return "stopped";
      if (!report) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      if (!(await this.#send(report))) return this.#stopped ? "stopped" : "refused";
      if (report.type === "end") return "reported";
      if (report.type === "output" && report.data.length < this.#pauses.longLength) await this.#pause();
    }
  }

  get #pauses(): Pauses {
    const now = performance.now();
    if (now < this.#typingUntil) return TYPING;
    if (now < this.#watchedUntil || this.#paceMs <= USUAL.paceMs) return USUAL;
    return { ...USUAL, paceMs: this.#paceMs, longLength: sessionPace.unwatchedBytes };
  }

  get #isUrgent(): boolean {
    const hasUpdate =
      this.#question !== this.#reportedQuestion || this.#end !== undefined || this.#state !== undefined;
    return hasUpdate || this.#stopped || this.#buffer.bytes >= sessionPace.unwatchedBytes;
  }

  /** Pauses before the next chunk. An input, a viewer, a question and the end cut the pause short. */
  async #pause(): Promise<void> {
    if (this.#isUrgent) return;
    this.#pace = new AbortController();
    await sleep(this.#pauses.paceMs, undefined, { signal: this.#pace.signal }).catch(() => {});
  }

  /** Takes the next report, which is then repeated unchanged. */
  #next(): Report | undefined {
    const id = this.#id;
    const state = this.#state;
    if (state) {
      this.#state = undefined;
      return { type: "state", id, number: ++this.#stateNumber, ...state };
    }
    if (!this.#buffer.isEmpty)
      return { type: "output", id, sequence: ++this.#sequence, data: this.#buffer.take() };
    if (this.#end) return { type: "end", id, ...this.#end };
    const question = this.#question;
    if (question !== this.#reportedQuestion) {
      this.#reportedQuestion = question;
      return { type: "waiting", id, waitingForInput: question !== undefined, ...question };
    }
    return undefined;
  }

  /** @returns false if the cloud does not know the session, or if this was stopped */
  async #send(report: Report): Promise<boolean> {
    for (let attempt = 1; !this.#stopped; attempt++) {
      try {
        this.#paceMs = await this.#cloud.reportSession(report);
        return true;
      } catch (error) {
        if (codeOf(error) === "PAYLOAD_TOO_LARGE" && this.#shorten(report)) continue;
        const mayCome =
          report.type === "end" && codeOf(error) === "NOT_FOUND" && Date.now() < this.#startMayComeUntil;
        if (REFUSALS.includes(codeOf(error)) && !mayCome) {
          this.#log.warn({ err: error, sessionId: this.#id }, "the cloud rejected a session's report");
          return false;
        }
        this.#log.debug({ err: error, sessionId: this.#id }, "a session could not be reported yet");
      }
      if (this.#retry.signal.aborted) this.#retry = new AbortController();
      await sleep(backoffMs(attempt, BACKOFF), undefined, { signal: this.#retry.signal }).catch(() => {});
    }
    return false;
  }

  /**
   * Shortens a report for a proxy with a lower limit than the API's. Nothing is dropped: the remainder of a chunk goes
   * into the next one.
   */
  #shorten(report: Report): boolean {
    if (report.type !== "output" || report.data.length <= MIN_CHUNK) return false;
    const [kept, rest] = halve(report.data);
    report.data = kept;
    this.#buffer.addBefore(rest);
    return true;
  }
}

/** All other errors may pass, even a refused device key. Whether the key is revoked is decided elsewhere. */
const REFUSALS: (string | undefined)[] = ["NOT_FOUND", "BAD_REQUEST", "CONFLICT", "FORBIDDEN"];
