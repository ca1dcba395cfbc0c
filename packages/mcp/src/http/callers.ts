import type { ToolServer } from "../server";
import { ownerOf, type SessionLimits } from "./sessions";

interface Caller {
  readonly server: ToolServer;
  readonly admitted: Promise<boolean>;
  readonly since: number;
  lastUsedAt: number;
  busy: number;
}

/**
 * The callers of the newer era, which has no sessions: the server of each credential is kept, so that not every request
 * looks up whose credential it is. Bounded in number and age.
 */
export class Callers {
  /** Callers by the hash of the credential, which is not kept itself, in the order of their last use. */
  readonly #callers = new Map<string, Caller>();
  readonly #limits: SessionLimits;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
  }

  /**
   * Does something for a credential.
   * @param make makes its server, and checks the credential, unless it is known
   * @returns "refused" for a refused credential, "full" if there is no room for another one
   */
  async use(
    credential: string,
    make: () => { server: ToolServer; admitted: Promise<boolean> },
    work: (server: ToolServer) => Promise<void>,
  ): Promise<"done" | "refused" | "full"> {
    const owner = ownerOf(credential);
    this.#endOld();
    const existing = this.#callers.get(owner);
    if (!existing && !this.#evictIdle()) return "full";
    const caller = existing ?? { ...make(), since: Date.now(), lastUsedAt: Date.now(), busy: 0 };
    this.#callers.set(owner, caller);
    caller.busy += 1;
    try {
      if (!(await caller.admitted)) {
        this.#end(owner);
        return "refused";
      }
      await work(caller.server);
      return "done";
    } finally {
      caller.busy -= 1;
      caller.lastUsedAt = Date.now();
    }
  }

  #evictIdle(): boolean {
    if (this.#callers.size < this.#limits.max) return true;
    const idle = [...this.#callers].filter(([, { busy }]) => busy === 0);
    const [oldest] = idle.toSorted(([, one], [, other]) => one.lastUsedAt - other.lastUsedAt);
    if (oldest) this.#end(oldest[0]);
    return oldest !== undefined;
  }

  #endOld(): void {
    const now = Date.now();
    for (const [owner, { busy, lastUsedAt, since }] of this.#callers)
      if (busy === 0 && (now - lastUsedAt >= this.#limits.idleMs || now - since >= this.#limits.ageMs))
        this.#end(owner);
  }

  #end(owner: string): void {
    void this.#callers.get(owner)?.server.close();
    this.#callers.delete(owner);
  }

  /** Ends all calls; resolves when they have been answered. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#callers.values()].map(({ server }) => server.close()));
    this.#callers.clear();
  }
}
