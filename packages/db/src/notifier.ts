import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import type { Log } from "./log";

/** Few and fixed, since every process listens to all channels. */
export const channels = [
  "device_wake",
  "command_changed",
  "credential_revoked",
  "organization_event",
  "session_changed",
  "integration_event",
  "integration_refreshed",
] as const;
export type Channel = (typeof channels)[number];

/** Subscribes to all keys of a channel. */
export const ALL_KEYS = "*";

/**
 * `notification`: `key` is the announced id, `detail` the text after it (often empty). `resync`: announcements may have
 * been missed; read the rows again.
 */
export type NotifierEvent = { kind: "notification"; key: string; detail: string } | { kind: "resync" };

export type NotifierListener = (event: NotifierEvent) => void;

/**
 * Wake-ups between processes on one database. An announcement is a hint to read: the rows are the truth.
 */
export interface Notifier {
  /** Whether announcements arrive now. While they do not, nothing may rely on one. */
  readonly connected: boolean;
  /**
   * Calls `listener` for each announcement of `key` (an id, or `ALL_KEYS`), and after an outage. Returns a function
   * that unsubscribes.
   */
  subscribe(channel: Channel, key: string, listener: NotifierListener): () => void;
  /**
   * Announces a committed change: to listeners of this process now, and to other processes soon. If this process ends
   * or loses the database first, the others find the change by their next read. Within a transaction use `notify`
   * instead.
   * @param payload an id, optionally followed by a space and a detail; shorter than 200 bytes, and one line
   */
  announce(channel: Channel, payload: string): void;
  /** Calls `listener` after an outage, once announcements arrive again and before any subscriber is called. */
  onReconnect(listener: () => void): () => void;
  /** Counts since this process opened the database. */
  readonly counts: NotifierCounts;
}

/** How many announcements arrived, by channel, and how often the listening connection was made again. */
interface NotifierCounts {
  readonly heard: ReadonlyMap<string, number>;
  /** Those of `heard` that this process itself had sent. */
  readonly sent: ReadonlyMap<string, number>;
  readonly reconnects: number;
}

/** A notifier with its resources. Only the code that opened the database may close it. */
export interface OpenNotifier extends Notifier {
  close(): Promise<void>;
}

/** The limit of a payload: one id and a short detail. */
const MAX_PAYLOAD_BYTES = 200;

/**
 * The call that announces from within a statement, for its select list or a data-modifying CTE's `returning`. It
 * reaches every process once the transaction has committed, and none if it is rolled back. PostgreSQL commits
 * transactions with such a call one after another; frequent statements use `Notifier.announce` after their commit
 * instead.
 * @param payload an id, optionally followed by a space and a detail; shorter than 200 bytes
 */
export const notification = (channel: Channel, payload: string | Expression<string>): RawBuilder<string> =>
  sql<string>`pg_notify(${sql.lit(channel)}, ${payload})::text`;

/**
 * Announces with a statement of its own, in the given transaction; see `notification`.
 * @throws {RangeError} when the payload is too long
 */
export async function notify<DB>(db: Kysely<DB>, channel: Channel, payload: string): Promise<void> {
  needShort(payload);
  await sql`select ${notification(channel, payload)} as announced`.execute(db);
}

/** @throws {RangeError} when the payload is too long, or has several lines */
export function needShort(payload: string): void {
  if (Buffer.byteLength(payload) >= MAX_PAYLOAD_BYTES)
    throw new RangeError(
      `A notification is an id and a short detail, not ${Buffer.byteLength(payload)} bytes.`,
    );
  if (payload.includes("\n")) throw new RangeError("A notification is one line.");
}

/** Delivers in memory the announcements that reach this process. */
export class FanOut {
  readonly #listeners = new Map<string, Set<NotifierListener>>();
  readonly #reconnect = new Set<() => void>();
  readonly #log: Log;
  readonly counts = { heard: new Map<string, number>(), sent: new Map<string, number>(), reconnects: 0 };

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe(channel: Channel, key: string, listener: NotifierListener): () => void {
    const address = `${channel} ${key}`;
    const listeners = this.#listeners.get(address) ?? new Set();
    // The same function may be subscribed twice, and each subscription ends separately.
    const own: NotifierListener = (event) => listener(event);
    listeners.add(own);
    this.#listeners.set(address, listeners);
    return () => {
      if (listeners.delete(own) && listeners.size === 0) this.#listeners.delete(address);
    };
  }

  onReconnect(listener: () => void): () => void {
    const own = () => listener();
    this.#reconnect.add(own);
    return () => this.#reconnect.delete(own);
  }

  /** @param isOwn whether this process has sent it */
  deliver(channel: string, payload: string, isOwn: boolean): void {
    increment(this.counts.heard, channel);
    if (isOwn) increment(this.counts.sent, channel);
    const end = payload.indexOf(" ");
    const key = end === -1 ? payload : payload.slice(0, end);
    const event: NotifierEvent = { kind: "notification", key, detail: payload.slice(key.length + 1) };
    for (const address of [key, ALL_KEYS])
      for (const listener of [...(this.#listeners.get(`${channel} ${address}`) ?? [])])
        this.#call(() => listener(event));
  }

  resync(): void {
    this.counts.reconnects++;
    for (const listener of [...this.#reconnect]) this.#call(listener);
    for (const listener of [...this.#listeners.values()].flatMap((listeners) => [...listeners]))
      this.#call(() => listener({ kind: "resync" }));
  }

  /** An error of one listener must affect neither the other listeners nor the connection. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log.error({ err: error }, "a notification listener threw");
    }
  }
}

const increment = (counts: Map<string, number>, channel: string) =>
  counts.set(channel, (counts.get(channel) ?? 0) + 1);
