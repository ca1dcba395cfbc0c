import { createHash } from "node:crypto";
import type { HttpTransport } from "../httpTransport";
import type { ToolServer } from "../server";

/** A client's connection: what it negotiated, and the calls it has under way. */
export interface Session {
  readonly server: ToolServer;
  readonly transport: HttpTransport;
  /** Of the credential that opened it. Nobody else can use it, or learn that it is there. */
  readonly owner: string;
  readonly openedAt: number;
  lastUsedAt: number;
  /** Requests being answered, but for the stream that waits for notifications. */
  busy: number;
}

export interface SessionLimits {
  readonly max: number;
  readonly idleMs: number;
  readonly ageMs: number;
}

/** Who presents a credential; the credential itself is not kept. */
export const ownerOf = (credential: string | undefined): string =>
  credential === undefined ? "anonymous" : createHash("sha256").update(credential).digest("hex");

/** The sessions that are open: bounded in number and age. */
export class Sessions {
  readonly #open = new Map<string, Session>();

  constructor(
    readonly limits: SessionLimits,
    readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  /** Whether there is room for one more: the oldest idle session is ended for it. Not when all are busy. */
  makeRoom(): boolean {
    this.endOld();
    if (this.#open.size < this.limits.max) return true;
    const idle = [...this.#open].filter(([, { busy }]) => busy === 0);
    const [oldest] = idle.toSorted(([, one], [, other]) => one.lastUsedAt - other.lastUsedAt);
    if (!oldest) return false;
    this.end(oldest[0]);
    return true;
  }

  add(id: string, session: Session): void {
    this.#open.set(id, session);
  }

  /** The session of that id, if it is this owner's. */
  find(id: string, owner: string): Session | undefined {
    this.endOld();
    const session = this.#open.get(id);
    return session?.owner === owner ? session : undefined;
  }

  /** Ends those that nobody has used for long, and those that are too old whoever uses them. */
  endOld(): void {
    const now = this.now();
    for (const [id, { busy, lastUsedAt, openedAt }] of this.#open) {
      const isIdle = busy === 0 && now - lastUsedAt >= this.limits.idleMs;
      if (isIdle || now - openedAt >= this.limits.ageMs) this.end(id);
    }
  }

  /** Aborts what is under way there. */
  end(id: string): void {
    const session = this.#open.get(id);
    this.#open.delete(id);
    void session?.server.close();
  }

  /** Ends all; resolves when their handlers have ended. */
  async close(): Promise<void> {
    const servers = [...this.#open.values()].map(({ server }) => server.close());
    this.#open.clear();
    await Promise.allSettled(servers);
  }
}
