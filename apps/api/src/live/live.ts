import type { GroveDatabase } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import type { PendingChanges } from "./pendingChanges";
import { Reader } from "./reader";

/** The organizations that are watched on this process. Each has one reader for all its watchers. */
export class Live {
  readonly #database: Pick<GroveDatabase, "db" | "notifier">;
  readonly #log: FastifyBaseLogger;
  readonly #readers = new Map<string, Reader>();

  constructor(database: Pick<GroveDatabase, "db" | "notifier">, log: FastifyBaseLogger) {
    this.#database = database;
    this.#log = log;
  }

  /**
   * Adds an organization's changes to `watcher` from now on. Resolves when no later change can be missed.
   * @returns a function that removes the watcher
   */
  async watch(organizationId: string, watcher: PendingChanges): Promise<() => void> {
    const reader = this.#readers.get(organizationId) ?? new Reader(this.#database, this.#log, organizationId);
    this.#readers.set(organizationId, reader);
    reader.add(watcher);
    const end = () => {
      if (reader.delete(watcher)) this.#readers.delete(organizationId);
    };
    try {
      await reader.firstRead;
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  /**
   * Reports that a call to this process changed something in an organization. Watchers on this process get the change
   * immediately, others within seconds. It costs one map lookup.
   */
  hint(organizationId: string): void {
    this.#readers.get(organizationId)?.hint();
  }
}
