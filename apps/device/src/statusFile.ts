import { rm } from "node:fs/promises";
import * as z from "zod";
import type { Home } from "./home/home";
import { readIfThere, writeFileAtomic } from "./lib/fileSystem";
import type { Log } from "./log";

const agentStatus = z.object({
  pid: z.number(),
  connected: z.boolean(),
  /** Since when `connected` has had its value. */
  since: z.iso.datetime(),
});
export type AgentStatus = z.infer<typeof agentStatus>;

/** The file in which the running agent keeps its status for other commands. */
export class StatusFile {
  readonly #home: Home;
  readonly #log: Log;
  #written = Promise.resolve();

  constructor(home: Home, log: Log) {
    this.#home = home;
    this.#log = log;
  }

  /** Begins to write the status. Writes are made one after another. */
  write(connected: boolean): void {
    const status: AgentStatus = { pid: process.pid, connected, since: new Date().toISOString() };
    this.#written = this.#written
      .then(() => writeFileAtomic(this.#home.statusFile, `${JSON.stringify(status)}\n`))
      .catch((error) => this.#log.warn({ err: error }, "the status file could not be written"));
  }

  /** Resolves once all is written. */
  written(): Promise<void> {
    return this.#written;
  }
}

export const removeAgentStatus = (home: Home): Promise<void> => rm(home.statusFile, { force: true });

/** The last status that the agent with this pid has written. */
export async function readAgentStatus(home: Home, pid: number): Promise<AgentStatus | undefined> {
  const status = agentStatus.safeParse(JSON.parse((await readIfThere(home.statusFile)) ?? "null"));
  return status.success && status.data.pid === pid ? status.data : undefined;
}
