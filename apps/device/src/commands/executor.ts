import { type CommandDelivery, isDeviceTool, protocol } from "@grove/schemas";
import { failSpan, span } from "@grove/tracing";
import type { DeviceApi } from "../cloud/deviceApi";
import { CommandFailure } from "../errors";
import type { DeviceOwner } from "../home/deviceOwner";
import { Semaphore } from "../lib/semaphore";
import type { Log } from "../log";
import { prepareTool, type Recovered, type Tools } from "../tool";
import { Job } from "./job";
import type { Journal } from "./journal";
import type { JournalEntry, Outcome } from "./journalFile";
import type { Outbox } from "./outbox";
import { Ended, interruptedOutcome, notBegunOutcome, outcomeOf } from "./outcome";

const defaultLimits = {
  /** The number of commands of one tool that run at a time. A slow tool never holds up another. */
  concurrency: 8,
  /** How long work may take before its start is reported. */
  reportStartAfterMs: protocol.reportStartAfterMs,
};

/** The longest time of `setTimeout`, which fires immediately for a longer one. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface ExecutorDeps {
  cloud: DeviceApi;
  journal: Journal;
  outbox: Outbox;
  tools: Tools;
  log: Log;
  deviceId: string;
  /** Whether a user is this device's owner. */
  isOwner: DeviceOwner["is"];
  limits?: Partial<typeof defaultLimits>;
}

/**
 * Runs each command at most once, however often it is delivered. A command is written to the journal before it begins.
 * A command that the journal already has is answered from the journal.
 */
export class Executor {
  #jobs = new Map<string, Job>();
  #semaphores = new Map<string, Semaphore>();
  readonly #stop = new AbortController();

  readonly #limits: typeof defaultLimits;
  readonly #deps: ExecutorDeps;

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
    this.#limits = { ...defaultLimits, ...deps.limits };
  }

  /** The names of the tools that this device agent has. */
  get capabilities(): string[] {
    return Object.keys(this.#deps.tools);
  }

  /** The commands that have begun and whose end the API has not confirmed, and those that wait for a free slot. */
  get open(): { running: string[]; waiting: string[] } {
    const jobs = [...this.#jobs.values()];
    const idsOf = (some: Job[]) => some.map(({ id }) => id);
    return {
      running: [...idsOf(jobs.filter((job) => !job.isWaiting)), ...this.#deps.outbox.unconfirmed],
      waiting: idsOf(jobs.filter((job) => job.isWaiting)),
    };
  }

  /** Resumes what an earlier process left: reports commands that had ended, recovers those that had not. */
  resume(): void {
    for (const entry of this.#deps.journal.all()) {
      if (entry.outcome) this.#deps.outbox.report(entry.id, entry.outcome);
      else this.#track(entry.id, () => this.#recover(entry));
    }
  }

  /** Accepts a command that the API sent, for the first time or again. */
  deliver(command: CommandDelivery): void {
    const { outbox } = this.#deps;
    if (this.#stop.signal.aborted) return;
    const { deviceId } = command;
    if (deviceId !== this.#deps.deviceId) {
      this.#deps.log.error({ commandId: command.id, deviceId }, "received a command for another device");
      return;
    }
    const running = this.#jobs.get(command.id);
    // The API does not know that this command has begun.
    if (running) running.reportStartAgain();
    else if (outbox.has(command.id)) outbox.retryNow(command.id);
    else if (outbox.isConfirmed(command.id)) void outbox.answerAgain(command.id);
    else
      this.#track(command.id, (job) => {
        const attributes = { "grove.command": command.id };
        const options = { parent: command.traceParent, kind: "consumer", attributes } as const;
        return span(`device ${command.tool}`, options, () => this.#execute(command, job));
      });
  }

  /** Cancels a command. A command that never arrived is answered too, so that its caller does not wait. */
  cancel(id: string): void {
    const job = this.#jobs.get(id);
    if (job) job.end("canceled");
    else if (this.#deps.outbox.has(id)) this.#deps.outbox.retryNow(id);
    else if (this.#deps.outbox.isConfirmed(id)) void this.#deps.outbox.answerAgain(id);
    else this.#deps.outbox.report(id, { canceled: true });
  }

  /** Ends commands that the API has given up: no caller waits for them. Their ends are still reported. */
  giveUp(ids: readonly string[]): void {
    for (const id of ids) this.#jobs.get(id)?.end("given_up");
  }

  /**
   * Handles commands that the API has settled, perhaps by giving them up. Ends the commands that are still
   * running. A pending outcome is reported immediately, since the API may never have received it, and kept until that
   * report gets a response.
   */
  settled(ids: readonly string[]): void {
    this.giveUp(ids);
    for (const id of ids) this.#deps.outbox.retryNow(id);
  }

  /** Ends all running commands and rolls back partial work. Resolves when that is done. */
  async stop(): Promise<void> {
    this.#stop.abort(new Ended("stopping"));
    for (const job of this.#jobs.values()) job.end("stopping");
    await Promise.all([...this.#jobs.values()].map((job) => job.over));
  }

  #track(id: string, work: (job: Job) => Promise<void>): void {
    const job = new Job(id);
    this.#jobs.set(id, job);
    job.over = work(job)
      .catch((error) => this.#deps.log.error({ err: error, commandId: id }, "a command was lost"))
      .finally(() => this.#jobs.delete(id));
  }

  async #execute(command: CommandDelivery, job: Job): Promise<void> {
    const { cloud, journal, outbox, log } = this.#deps;
    const began = performance.now();
    const slots = this.#semaphoreOf(command.tool);
    if (slots.isFull) job.waitForSlot();
    let deadline = setTimeout(() => job.end("expired"), Math.min(command.startWithinMs, MAX_TIMER_MS));
    let reporting: AbortController | undefined;
    const report = setTimeout(() => {
      reporting = new AbortController();
      void job.report({ cloud, journalId: journal.id, log }, reporting.signal);
    }, this.#limits.reportStartAfterMs);
    try {
      const outcome = await slots
        .run(() => {
          job.takeSlot();
          clearTimeout(deadline);
          deadline = setTimeout(() => job.end("timed_out"), command.remainingMs);
          return this.#begin(command, job);
        }, job.signal)
        .catch((error) => {
          if (!(error instanceof CommandFailure))
            log.warn({ err: error, commandId: command.id }, "a command failed");
          return outcomeOf(error, job.signal, journal.get(command.id) !== undefined);
        });
      const begun = journal.get(command.id) !== undefined;
      // A command that never began needs no report when this process ends: it is sent again to the next one. A device
      // agent that takes over the journal recovers the begun commands, and reports what it finds.
      if (journal.replaced.aborted || (!begun && this.#stop.signal.aborted)) return;
      // The two run in parallel: after a crash, either the API's confirmation or the disk's record is enough.
      if (begun) void journal.finish(command.id, outcome);
      outbox.report(command.id, outcome);
      if ("error" in outcome) failSpan(outcome.error.reason);
      const ms = Math.round(performance.now() - began);
      // Logged after the report has gone out, because a caller waits for that.
      setImmediate(() =>
        log.info({ commandId: command.id, tool: command.tool, ms, ...inBrief(outcome) }, "command ended"),
      );
    } finally {
      clearTimeout(report);
      reporting?.abort();
      clearTimeout(deadline);
    }
  }

  /** Guarantees at most once: nothing is done before the journal has the command on disk. */
  async #begin({ id, tool, params, requestedBy }: CommandDelivery, job: Job): Promise<Outcome> {
    const { journal, tools, log, isOwner } = this.#deps;
    const run = prepareTool(tools, tool, params);
    try {
      await journal.begin(id, tool);
    } catch (error) {
      log.error({ err: error, commandId: id }, "the journal could not be written");
      return notBegunOutcome(error);
    }
    // The command may have been ended while the disk wrote.
    job.signal.throwIfAborted();
    const result = await run({
      commandId: id,
      requester: { id: requestedBy, isOwner: () => isOwner(requestedBy, job.signal) },
      signal: job.signal,
      progress: (message, fraction) => job.progress(message, fraction),
      note: (note) => journal.note(id, note),
      get log() {
        return log.child({ commandId: id, tool });
      },
    });
    return { result };
  }

  /** Recovers an interrupted command. Cannot be canceled: leftovers on the disk must be cleaned up and reported. */
  async #recover(entry: Readonly<JournalEntry>): Promise<void> {
    const { journal, outbox, tools } = this.#deps;
    const log = this.#deps.log.child({ commandId: entry.id, tool: entry.tool });
    log.warn("a command was interrupted when the agent ended; recovering it");
    const recover = isDeviceTool(entry.tool) ? tools[entry.tool]?.recover : undefined;
    let recovered: string | Recovered = "It changes nothing, so it can be run again.";
    try {
      const context = { commandId: entry.id, signal: this.#stop.signal, progress: () => {}, log };
      recovered = (await recover?.(entry.notes, context)) ?? recovered;
    } catch (error) {
      // The next process tries again.
      if (this.#stop.signal.aborted) return;
      log.error({ err: error }, "could not recover an interrupted command");
      recovered = `Its work could not be recovered: ${String(error)}`;
    }
    const outcome = interruptedOutcome(typeof recovered === "string" ? { message: recovered } : recovered);
    await journal.finish(entry.id, outcome);
    outbox.report(entry.id, outcome);
  }

  #semaphoreOf(tool: string): Semaphore {
    const slots = this.#semaphores.get(tool) ?? new Semaphore(this.#limits.concurrency);
    this.#semaphores.set(tool, slots);
    return slots;
  }
}

const inBrief = (outcome: Outcome) =>
  "error" in outcome ? { failed: outcome.error.reason } : "canceled" in outcome ? { canceled: true } : {};
