import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceParts } from "./parts";
import { WorkspaceBusy } from "./workspaceOnDevice";

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

/** How long a workspace that is being made already is waited for, which most are not for long. */
const BUSY_PATIENCE_MS = 2_000;

/** Runs `work` again once what it met under construction is over. Not under a lock, which that may need. */
export async function whenNotBusy<T>(
  { construction }: WorkspaceParts,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const giveUpAt = performance.now() + BUSY_PATIENCE_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      const over = error instanceof WorkspaceBusy ? construction.over(error.workspaceId) : undefined;
      const left = giveUpAt - performance.now();
      if (!over || left <= 0) throw error;
      await Promise.race([over, sleep(left, undefined, { signal, ref: false })]);
    }
}
