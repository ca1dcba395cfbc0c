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
  /** By the hash of the credential, which itself is not kept; the one that was used last is the last. */
  readonly #known = new Map<string, Caller>();
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
    const known = this.#known.get(owner);
    if (!known && !this.#makeRoom()) return "full";
    const caller = known ?? { ...make(), since: Date.now(), lastUsedAt: Date.now(), busy: 0 };
    this.#known.set(owner, caller);
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

  #makeRoom(): boolean {
    if (this.#known.size < this.#limits.max) return true;
    const idle = [...this.#known].filter(([, { busy }]) => busy === 0);
    const [oldest] = idle.toSorted(([, one], [, other]) => one.lastUsedAt - other.lastUsedAt);
    if (oldest) this.#end(oldest[0]);
    return oldest !== undefined;
  }

  #endOld(): void {
    const now = Date.now();
    for (const [owner, { busy, lastUsedAt, since }] of this.#known)
      if (busy === 0 && (now - lastUsedAt >= this.#limits.idleMs || now - since >= this.#limits.ageMs))
        this.#end(owner);
  }

  #end(owner: string): void {
    void this.#known.get(owner)?.server.close();
    this.#known.delete(owner);
  }

  /** Ends all calls; resolves when they have been answered. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#known.values()].map(({ server }) => server.close()));
    this.#known.clear();
  }
}
