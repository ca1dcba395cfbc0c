import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceParts } from "../deps";
import { WorkspaceBusy } from "./onDevice";

/** A workspace while this process makes it. */
export interface Site {
  /** Aborted when somebody else ends the work on it. */
  readonly signal: AbortSignal;
  /** Says that the work is over, and undone if it failed. */
  close(): void;
}

interface Entry {
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

/** The workspaces that this process is making: each can be waited for, and ended from outside. */
export class Construction {
  readonly #sites = new Map<string, Entry>();

  begin(workspaceId: string): Site {
    const stop = new AbortController();
    let close = () => {};
    const over = new Promise<void>((resolve) => {
      close = () => {
        this.#sites.delete(workspaceId);
        resolve();
      };
    });
    this.#sites.set(workspaceId, { stop, over });
    return { signal: stop.signal, close };
  }

  /** Resolves when the work on a workspace is over; undefined where this process does not make it. */
  over(workspaceId: string): Promise<void> | undefined {
    return this.#sites.get(workspaceId)?.over;
  }

  /**
   * Ends the work on a workspace. Resolves when it is undone, or when it was finished just before.
   * @returns false where this process does not make it
   */
  async end(workspaceId: string, why: Error): Promise<boolean> {
    const site = this.#sites.get(workspaceId);
    site?.stop.abort(why);
    await site?.over;
    return site !== undefined;
  }
}

/** How long one call waits for workspaces that are being made. Most are made sooner. */
const BUSY_PATIENCE_MS = 2_000;

/**
 * Runs `work` again when a workspace that it met under construction is finished. Call it outside of the repository's
 * lock: the construction may need that.
 * @throws {WorkspaceBusy} after {@link BUSY_PATIENCE_MS}, or where another process makes the workspace
 */
export async function whenNotBusy<T>(
  { construction }: WorkspaceParts,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  let waitedMs = 0;
  /** A workspace that was busy when it was read, and that nobody made any more right after. */
  let justFinished: string | undefined;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WorkspaceBusy)) throw error;
      const over = construction.over(error.workspaceId);
      if (over) {
        if (waitedMs >= BUSY_PATIENCE_MS) throw error;
        const began = performance.now();
        await Promise.race([over, sleep(BUSY_PATIENCE_MS - waitedMs, undefined, { signal, ref: false })]);
        waitedMs += performance.now() - began;
      } else if (justFinished === error.workspaceId) throw error;
      else justFinished = error.workspaceId;
    }
}
