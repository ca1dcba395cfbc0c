import { createHash } from "node:crypto";
import type { ToolServer } from "../server";
import type { HttpTransport } from "./transports";

/** A client's connection: what was negotiated, and its calls in progress. */
export interface Session {
  readonly server: ToolServer;
  readonly transport: HttpTransport;
  /** The hash of the credential that opened the session. No other can use the session, or learn that it exists. */
  readonly owner: string;
  readonly openedAt: number;
  lastUsedAt: number;
  /** Requests being answered, without the stream that waits for notifications. */
  busy: number;
}

export interface SessionLimits {
  readonly max: number;
  /** The maximum for one owner. */
  readonly maxOfOwner: number;
  readonly idleMs: number;
  readonly ageMs: number;
}

const MINUTE_MS = 60_000;

/** The default limits of sessions. */
export const defaultLimits: SessionLimits = {
  max: 256,
  maxOfOwner: 16,
  idleMs: 30 * MINUTE_MS,
  ageMs: 24 * 60 * MINUTE_MS,
};

/** Identifies the holder of a credential by its hash; the credential itself is not kept. */
export const ownerOf = (credential: string): string => createHash("sha256").update(credential).digest("hex");

/** The open sessions, bounded in number and age. */
export class Sessions {
  readonly #openSessions = new Map<string, Session>();
  readonly limits: SessionLimits;
  readonly now: () => number;

  constructor(limits: SessionLimits, now: () => number = Date.now) {
    this.limits = limits;
    this.now = now;
  }

  get size(): number {
    return this.#openSessions.size;
  }

  /** Whether another session of this owner could be added: false if every session that could be evicted is busy. */
  hasRoom(owner: string): boolean {
    this.endOld();
    return this.#reachedLimit(owner) === undefined || this.#sessionToEvict(owner) !== undefined;
  }

  /** Adds a session; if there are too many, an idle one is ended for it. */
  add(id: string, session: Session): void {
    const last = this.#reachedLimit(session.owner) && this.#sessionToEvict(session.owner);
    if (last !== undefined) this.end(last);
    this.#openSessions.set(id, session);
  }

  #reachedLimit(owner: string): "owner" | "all" | undefined {
    if (this.#ofOwner(owner).length >= this.limits.maxOfOwner) return "owner";
    return this.#openSessions.size >= this.limits.max ? "all" : undefined;
  }

  #ofOwner = (owner: string) => [...this.#openSessions].filter(([, session]) => session.owner === owner);

  /**
   * Returns the idle session to end, so that this owner can open a new session: a session of the owner, otherwise a
   * session with an unproven credential, otherwise any. Among these, the least recently used.
   */
  #sessionToEvict(owner: string): string | undefined {
    const ownSessions = this.#ofOwner(owner);
    const unproven = [...this.#openSessions].filter(([, { server }]) => !server.isProven);
    const groups =
      this.#reachedLimit(owner) === "owner"
        ? [ownSessions]
        : [ownSessions, unproven, [...this.#openSessions]];
    for (const group of groups) {
      const idle = group.filter(([, { busy }]) => busy === 0);
      const [oldest] = idle.toSorted(([, one], [, other]) => one.lastUsedAt - other.lastUsedAt);
      if (oldest) return oldest[0];
    }
    return undefined;
  }

  /** The session of that id, if it is this owner's. */
  find(id: string, owner: string): Session | undefined {
    this.endOld();
    const session = this.#openSessions.get(id);
    return session?.owner === owner ? session : undefined;
  }

  /** Ends sessions that have been idle for long, and those that are too old even if they are in use. */
  endOld(): void {
    const now = this.now();
    for (const [id, { busy, lastUsedAt, openedAt }] of this.#openSessions) {
      const isIdle = busy === 0 && now - lastUsedAt >= this.limits.idleMs;
      if (isIdle || now - openedAt >= this.limits.ageMs) this.end(id);
    }
  }

  /** Ends a session and aborts its calls in progress. */
  end(id: string): void {
    const session = this.#openSessions.get(id);
    this.#openSessions.delete(id);
    void session?.server.close();
  }

  /** Ends all sessions; resolves when their handlers have ended. */
  async close(): Promise<void> {
    const servers = [...this.#openSessions.values()].map(({ server }) => server.close());
    this.#openSessions.clear();
    await Promise.allSettled(servers);
  }
}
