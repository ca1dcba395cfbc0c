import type { Database } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import { Reader } from "./reader";
import type { Unseen } from "./unseen";

/** The organizations that people watch on this process. Each has one reader, however many watch. */
export class Live {
  readonly #db: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  readonly #readers = new Map<string, Reader>();

  constructor(db: Kysely<Database>, log: FastifyBaseLogger) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Tells a watcher from now on what changes in an organization. Resolves once no later change can be missed.
   * @returns ends it
   */
  async watch(organizationId: string, watcher: Unseen): Promise<() => void> {
    const reader = this.#readers.get(organizationId) ?? new Reader(this.#db, this.#log, organizationId);
    this.#readers.set(organizationId, reader);
    reader.add(watcher);
    const end = () => {
      if (reader.delete(watcher)) this.#readers.delete(organizationId);
    };
    try {
      await reader.begun;
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  /**
   * Something in an organization has changed by a call to this process: whoever watches here sees it immediately,
   * others within seconds. It costs one look into a map.
   */
  hint(organizationId: string): void {
    this.#readers.get(organizationId)?.hint();
  }
}
