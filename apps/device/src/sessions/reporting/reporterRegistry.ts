import { rm } from "node:fs/promises";
import { promptFileOf, type SessionsDeps } from "../planSession";
import { endProcesses } from "../process/processes";
import { interrupted } from "../sessionEnd";
import { OutputReporter, type SessionEnd } from "./outputReporter";
import { readRecords, removeRecord, type SessionRecord, writeRecord } from "./sessionFiles";

const START_MAY_COME_MS = 3_600_000;

/** The reporters of this machine's sessions, each until the cloud has confirmed the session's end. */
export class ReporterRegistry {
  readonly #openReporters = new Map<string, OutputReporter>();
  readonly #deps: Pick<SessionsDeps, "home" | "cloud" | "log">;

  constructor(deps: Pick<SessionsDeps, "home" | "cloud" | "log">) {
    this.#deps = deps;
  }

  /** Whether a session still has reports for the cloud. */
  has(sessionId: string): boolean {
    return this.#openReporters.has(sessionId);
  }

  open(sessionId: string, screenAsOutput: () => Promise<string>, startMayComeUntil?: number): OutputReporter {
    const { cloud, log } = this.#deps;
    const reporter = new OutputReporter(sessionId, cloud, log, screenAsOutput, startMayComeUntil);
    this.#openReporters.set(sessionId, reporter);
    void reporter.over.then(async (how) => {
      this.#openReporters.delete(sessionId);
      // If that fails, the device agent reports the end again after its next start, which is harmless.
      if (how !== "stopped") await removeRecord(this.#deps.home, sessionId).catch(() => {});
    });
    return reporter;
  }

  /**
   * Reports the end of a session that is not running. The report of its start may still be in flight. So for an hour,
   * an unknown session is not considered deleted.
   */
  async reportEnd(record: SessionRecord, end: SessionEnd): Promise<void> {
    await writeRecord(this.#deps.home, { ...record, end }).catch(() => {});
    const until = Date.parse(record.startedAt) + START_MAY_COME_MS;
    this.open(record.id, async () => "", until).end(end);
  }

  /**
   * Ends what an earlier device agent's sessions have left running, and reports their ends.
   * @returns their ids
   */
  async recover(): Promise<ReadonlySet<string>> {
    const { home, log } = this.#deps;
    const records = await readRecords(home);
    await Promise.all(
      records.map(async (record) => {
        const { id, agent, end } = record;
        await rm(promptFileOf(home, id), { force: true });
        if (!end) log.warn({ sessionId: id, agent }, "an agent session was interrupted when the agent ended");
        if (!(await endProcesses({ sessionId: id }).catch(() => false)))
          log.error({ sessionId: id }, "processes of an interrupted agent session could not be ended");
        await this.reportEnd(record, end ?? { status: "failed", error: interrupted });
      }),
    );
    return new Set(records.map(({ id }) => id));
  }

  onWatched(sessionId: string): void {
    this.#openReporters.get(sessionId)?.onWatched();
  }

  /** Retries reports immediately, since the cloud can be reached again. */
  retryNow(): void {
    for (const reporter of this.#openReporters.values()) reporter.retryNow();
  }

  /** Resolves when the cloud has confirmed all ends. */
  async allReported(): Promise<void> {
    await Promise.all([...this.#openReporters.values()].map((reporter) => reporter.over));
  }

  /** Stops reporting. The next device agent reports the remaining ends. */
  close(): void {
    for (const reporter of this.#openReporters.values()) reporter.stop();
  }
}
