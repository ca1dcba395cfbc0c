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
  /** Of one owner. */
  readonly maxOfOwner: number;
  readonly idleMs: number;
  readonly ageMs: number;
}

/** Who presents a credential; the credential itself is not kept. */
export const ownerOf = (credential: string): string => createHash("sha256").update(credential).digest("hex");

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

  /** Whether one more of this owner could be added. Not when all that would have to go for it are busy. */
  hasRoom(owner: string): boolean {
    this.endOld();
    return this.#needsRoom(owner) === undefined || this.#toEnd(owner) !== undefined;
  }

  /** Adds one; an idle session is ended for it where there are too many. */
  add(id: string, session: Session): void {
    const last = this.#needsRoom(session.owner) && this.#toEnd(session.owner);
    if (last !== undefined) this.end(last);
    this.#open.set(id, session);
  }

  #needsRoom(owner: string): "owner" | "all" | undefined {
    if (this.#ofOwner(owner).length >= this.limits.maxOfOwner) return "owner";
    return this.#open.size >= this.limits.max ? "all" : undefined;
  }

  #ofOwner = (owner: string) => [...this.#open].filter(([, session]) => session.owner === owner);

  /**
   * The idle session to end for one more of this owner: the owner's own, otherwise one whose credential nobody has
   * proven, otherwise any; of these the one that was used longest ago.
   */
  #toEnd(owner: string): string | undefined {
    const own = this.#ofOwner(owner);
    const unproven = [...this.#open].filter(([, { server }]) => !server.isProven);
    const groups = this.#needsRoom(owner) === "owner" ? [own] : [own, unproven, [...this.#open]];
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
