import { setTimeout as sleep } from "node:timers/promises";
import { WorkspaceBusy } from "../../home/workspaces";
import type { WorkspaceDeps } from "../deps";

/** A workspace while this process makes it. */
export interface ConstructionHandle {
  /** Aborted by {@link Construction.end}. */
  readonly signal: AbortSignal;
  /** Marks the work as over, and undone if it failed. */
  close(): void;
}

interface Entry {
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

/** The workspaces that this process is making. Others can wait for each, or end it. */
export class Construction {
  readonly #inProgress = new Map<string, Entry>();

  begin(workspaceId: string): ConstructionHandle {
    const stop = new AbortController();
    let close = () => {};
    const over = new Promise<void>((resolve) => {
      close = () => {
        this.#inProgress.delete(workspaceId);
        resolve();
      };
    });
    this.#inProgress.set(workspaceId, { stop, over });
    return { signal: stop.signal, close };
  }

  /** Resolves when the work on a workspace is over; undefined if this process is not making it. */
  over(workspaceId: string): Promise<void> | undefined {
    return this.#inProgress.get(workspaceId)?.over;
  }

  /**
   * Ends the work on a workspace. Resolves when it is undone, or if it was finished just before.
   * @returns false if this process is not making it
   */
  async end(workspaceId: string, why: Error): Promise<boolean> {
    const construction = this.#inProgress.get(workspaceId);
    construction?.stop.abort(why);
    await construction?.over;
    return construction !== undefined;
  }
}

/** How long one call waits for workspaces that are being made. Most are ready sooner. */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * Runs `work` again once a workspace that it found under construction is finished. Call it outside the repository's
 * lock, which the construction may need.
 * @throws {WorkspaceBusy} after {@link BUSY_TIMEOUT_MS}, or if another process makes the workspace
 */
export async function whenNotBusy<T>(
  { construction }: WorkspaceDeps,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  let waitedMs = 0;
  /** A workspace that was busy when it was read, but was no longer being made right afterwards. */
  let justFinished: string | undefined;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WorkspaceBusy)) throw error;
      const over = construction.over(error.workspaceId);
      if (over) {
        if (waitedMs >= BUSY_TIMEOUT_MS) throw error;
        const began = performance.now();
        await Promise.race([over, sleep(BUSY_TIMEOUT_MS - waitedMs, undefined, { signal, ref: false })]);
        waitedMs += performance.now() - began;
      } else if (justFinished === error.workspaceId) throw error;
      else justFinished = error.workspaceId;
    }
}
