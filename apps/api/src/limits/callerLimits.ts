import { totalmem } from "node:os";
import { GroveError } from "@grove/auth";
import { overloaded } from "./loadShedder";

/** Limits on what one caller may have in progress in this process. */
const defaultBounds = {
  /** Calls that run at the same time. Further ones are queued, in order of arrival. */
  running: 8,
  /** Queued calls. 1 000 calls are ten full batches. */
  queued: 1_000,
  /** Characters in the request bodies of the queued calls. */
  queuedCharacters: 16 * 1024 * 1024,
  /** The longest wait in the queue. */
  maxWaitMs: 15_000,
  /** Calls that wait for a device, or for its reports. */
  waiting: 500,
  /** Open streams. */
  streams: 100,
  /** Characters of responses that the caller has not read yet. */
  unread: 64 * 1024 * 1024,
  /**
   * Unread response characters of all callers together. A character takes up to five bytes: as text, and in the
   * connection's buffer.
   */
  totalUnread: Math.min(512 * 1024 * 1024, availableMemory() / 4) / 4,
};

export type Bounds = typeof defaultBounds;

/** Returns the bytes of memory that this process may use: those of its container, or of the machine. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** How often to check for calls that have waited too long. */
const CHECK_EVERY_MS = 1_000;
const RETRY_AFTER_SECONDS = 1;

interface QueuedCall {
  since: number;
  characters: number;
  begin: () => void;
  refuse: (error: GroveError) => void;
}

interface InProgress {
  running: number;
  queue: QueuedCall[];
  queuedCharacters: number;
  waiting: number;
  streams: number;
  unread: number;
}

/**
 * Bounds what each caller has in progress, so that no caller can take the database, the memory or the event loop from
 * the others. A caller is a user (with all their sessions and API keys), a device, or, without a credential, a network.
 * A refused call was not begun, and may be repeated.
 */
export class CallerLimits {
  readonly #bounds: Bounds;
  readonly #callers = new Map<string, InProgress>();
  readonly #overdueTimer: NodeJS.Timeout;
  #unreadCharacters = 0;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#overdueTimer = setInterval(() => this.#refuseOverdue(), CHECK_EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.#overdueTimer);
  }

  /**
   * Runs a call when its turn comes.
   * @param characters the size of the request's body, which is in memory until then
   * @throws {GroveError} TOO_MANY_REQUESTS `too_many_in_progress`
   */
  async runInTurn<T>(caller: string, characters: number, call: () => Promise<T>): Promise<T> {
    const { running, queued, queuedCharacters, unread } = this.#bounds;
    const state = this.#stateOf(caller);
    if (state.unread > unread) throw tooMany("You have unread responses. Read them first.", { unread });
    if (state.running < running) state.running++;
    else {
      if (state.queue.length >= queued)
        throw tooMany(`You already have ${queued} calls waiting.`, { queued });
      if (state.queuedCharacters + characters > queuedCharacters)
        throw tooMany(`Your waiting calls already hold ${queuedCharacters} characters.`, {
          queuedCharacters,
        });
      // The call that ends hands over its slot, so the count stays.
      await new Promise<void>((begin, refuse) => {
        state.queue.push({ since: performance.now(), characters, begin, refuse });
        state.queuedCharacters += characters;
      });
    }
    try {
      return await call();
    } finally {
      const next = state.queue.shift();
      if (next) {
        state.queuedCharacters -= next.characters;
        next.begin();
      } else {
        state.running--;
        this.#forgetIdle(caller, state);
      }
    }
  }

  /**
   * Runs a call that mostly waits. It runs immediately, and is counted separately.
   * @throws {GroveError} TOO_MANY_REQUESTS `too_many_in_progress`
   */
  async runWaiting<T>(caller: string, call: () => Promise<T>): Promise<T> {
    const end = this.#count(caller, "waiting", "waiting calls");
    try {
      return await call();
    } finally {
      end();
    }
  }

  /**
   * Counts a stream as open.
   * @returns a function to call when the stream has ended
   * @throws {GroveError} TOO_MANY_REQUESTS `too_many_in_progress`
   */
  openStream(caller: string): () => void {
    return this.#count(caller, "streams", "open streams");
  }

  /**
   * Requires that a response of this size fits into memory. Do not call this for a mutation: it has already taken
   * effect.
   * @throws {GroveError} SERVICE_UNAVAILABLE `overloaded`
   */
  requireResponseMemory(characters: number): void {
    if (this.#unreadCharacters + characters > this.#bounds.totalUnread)
      throw overloaded("The server is overloaded: too many responses wait to be read by their clients.");
  }

  /**
   * Counts a response as unread.
   * @returns a function to call when the caller has read it or has disconnected
   */
  trackUnread(caller: string, characters: number): () => void {
    const state = this.#stateOf(caller);
    state.unread += characters;
    this.#unreadCharacters += characters;
    return () => {
      state.unread -= characters;
      this.#unreadCharacters -= characters;
      this.#forgetIdle(caller, state);
    };
  }

  #count(caller: string, kind: "waiting" | "streams", label: string): () => void {
    const state = this.#stateOf(caller);
    const limit = this.#bounds[kind];
    if (state[kind] >= limit) throw tooMany(`You already have ${limit} ${label}.`, { [kind]: limit });
    state[kind]++;
    return () => {
      state[kind]--;
      this.#forgetIdle(caller, state);
    };
  }

  #stateOf(caller: string): InProgress {
    const existing = this.#callers.get(caller);
    if (existing) return existing;
    const fresh = { running: 0, queue: [], queuedCharacters: 0, waiting: 0, streams: 0, unread: 0 };
    this.#callers.set(caller, fresh);
    return fresh;
  }

  #forgetIdle(caller: string, { running, waiting, streams, unread }: InProgress): void {
    if (running + waiting + streams + unread === 0) this.#callers.delete(caller);
  }

  #refuseOverdue(): void {
    const before = performance.now() - this.#bounds.maxWaitMs;
    for (const state of this.#callers.values())
      for (let first = state.queue[0]; first && first.since < before; first = state.queue[0]) {
        state.queue.shift();
        state.queuedCharacters -= first.characters;
        first.refuse(tooMany("Your other calls take too long."));
      }
  }
}

const tooMany = (fact: string, limits: Record<string, number> = {}) =>
  new GroveError("TOO_MANY_REQUESTS", `${fact} This call was not started: try again in a moment.`, {
    reason: "too_many_in_progress",
    details: { retryAfterSeconds: RETRY_AFTER_SECONDS, ...limits },
  });
