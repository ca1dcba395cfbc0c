import { isSettled, messageOf } from "@grove/schemas";
import { type Backoff, backoffMs } from "@grove/signals/backoff";
import { codeOf, type DeviceApi, reasonOf } from "../cloud/deviceApi";
import type { Log } from "../log";
import type { Journal } from "./journal";
import type { Outcome } from "./journalFile";

const BACKOFF: Backoff = { baseMs: 250, maxMs: 30_000 };
/** The API accepts 1 MiB in one request; the rest is room for the report's other fields. */
const MAX_OUTCOME_BYTES = 1_000_000;
/** Late duplicates of a confirmed command arrive within seconds. */
const MAX_CONFIRMED = 10_000;

/** Reports how commands ended, repeatedly until the API has confirmed each. */
export class Outbox {
  #pending = new Map<string, { wake: () => void }>();
  #confirmedIds = new Set<string>();
  #onEmpty: (() => void)[] = [];

  readonly #cloud: DeviceApi;
  readonly #journal: Journal;
  readonly #log: Log;

  constructor(cloud: DeviceApi, journal: Journal, log: Log) {
    this.#cloud = cloud;
    this.#journal = journal;
    this.#log = log;
  }

  /** Whether this command's end is being reported. */
  has(id: string): boolean {
    return this.#pending.has(id);
  }

  /** Whether the API is known to have confirmed this command's end. Old confirmations are forgotten. */
  isConfirmed(id: string): boolean {
    return this.#confirmedIds.has(id) || this.#journal.isConfirmed(id);
  }

  /** The commands whose end the API has not confirmed. */
  get unconfirmed(): string[] {
    return [...this.#pending.keys()];
  }

  /** Reports an outcome until it is confirmed. Until then the journal keeps it, if it has the command. */
  report(id: string, outcome: Outcome): void {
    if (this.has(id) || this.isConfirmed(id)) return;
    this.#begin(id, outcome);
  }

  /**
   * Answers a command that was sent again after its end was confirmed. Nearly always the two messages crossed. If the
   * cloud has lost the end, for example by a database restore, the command is reported as failed: no work is done
   * twice.
   */
  async answerAgain(id: string): Promise<void> {
    try {
      const { status } = await this.#cloud.start({ id, journalId: this.#journal.id });
      if (isSettled(status) || this.has(id)) return;
      this.#log.warn({ commandId: id, status }, "the API has forgotten a command's end");
      this.#begin(id, alreadyDone);
    } catch (error) {
      // The API sends the command again until it is settled, so the next delivery retries this.
      this.#log.debug({ err: error, commandId: id }, "a command that is done was sent again");
    }
  }

  #begin(id: string, outcome: Outcome): void {
    this.#pending.set(id, { wake: () => {} });
    void this.#repeat(id, boundedOutcome(outcome));
  }

  /** Retries reports immediately: all of them after a reconnect, or the one with the given id. */
  retryNow(id?: string): void {
    for (const [waiting, { wake }] of this.#pending) if (id === undefined || waiting === id) wake();
  }

  /** Forgets these commands, since the API has their ends. */
  confirm(ids: string[]): void {
    this.#journal.confirm(ids);
    for (const id of ids) {
      this.#confirmedIds.add(id);
      this.#pending.get(id)?.wake();
      this.#pending.delete(id);
    }
    for (const oldest of this.#confirmedIds) {
      if (this.#confirmedIds.size <= MAX_CONFIRMED) break;
      this.#confirmedIds.delete(oldest);
    }
    if (this.#pending.size === 0) for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  /** Resolves when everything is confirmed. */
  empty(): Promise<void> {
    return this.#pending.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#onEmpty.push(resolve);
        });
  }

  /** Stops reporting; unconfirmed outcomes stay in the journal. */
  stop(): void {
    for (const { wake } of this.#pending.values()) wake();
    this.#pending.clear();
  }

  async #repeat(id: string, first: Outcome): Promise<void> {
    let outcome = first;
    for (let attempt = 1; this.#pending.has(id); attempt++) {
      try {
        const { status } = await this.#cloud.complete({ id, journalId: this.#journal.id, ...outcome });
        if (!this.#pending.has(id)) return;
        if (isSettled(status)) return this.confirm([id]);
      } catch (error) {
        if (codeOf(error) === "NOT_FOUND" || reasonOf(error) === "journal_mismatch") {
          this.#log.warn({ err: error, commandId: id }, "the API rejected this command's outcome");
          return this.confirm([id]);
        }
        if (["BAD_REQUEST", "PAYLOAD_TOO_LARGE"].includes(codeOf(error) ?? "") && !("error" in outcome)) {
          this.#log.error({ err: error, commandId: id }, "the API refused a command's result");
          outcome = refused(messageOf(error));
          continue;
        }
        this.#log.debug({ err: error, commandId: id }, "the outcome could not be reported yet");
      }
      await this.#pause(id, backoffMs(attempt, BACKOFF));
    }
  }

  #pause(id: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      const entry = this.#pending.get(id);
      if (entry)
        entry.wake = () => {
          clearTimeout(timer);
          resolve();
        };
    });
  }
}

const alreadyDone: Outcome = {
  error: {
    reason: "already_done",
    message:
      "The device had already run this command and the API had confirmed its end, but no longer knows it. Check what the command made before you send it again.",
  },
};

const refused = (why: string): Outcome => ({
  error: {
    reason: "result_refused",
    message: `The work was done, but the API did not accept its result: ${why.slice(0, 1_000)}`,
  },
});

function boundedOutcome(outcome: Outcome): Outcome {
  const bytes = Buffer.byteLength(JSON.stringify(outcome));
  return bytes <= MAX_OUTCOME_BYTES
    ? outcome
    : refused(`it has ${bytes} bytes; at most ${MAX_OUTCOME_BYTES} are accepted.`);
}
