import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import type { Log } from "./log";

/** What is announced; few and fixed, since every process listens to all of them. */
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

/** Subscribes to a channel whatever the key. */
export const everyKey = "*";

/**
 * `notification`: `key` is the id that was announced, `detail` what followed it (often nothing). `resync`: announcements
 * may have been missed; read the truth again.
 */
export type NotifierEvent = { kind: "notification"; key: string; detail: string } | { kind: "resync" };

export type NotifierListener = (event: NotifierEvent) => void;

/** Wake-ups between processes on one database. A hint where to look, never the message: the rows are the truth. */
export interface Notifier {
  /** Whether announcements arrive at this time; while they don't, nothing may rest on hearing one. */
  readonly connected: boolean;
  /** Calls `listener` for each announcement of `key` (an id, or `everyKey`), and after an outage. */
  subscribe(channel: Channel, key: string, listener: NotifierListener): () => void;
  /** Calls `listener` after an outage, once announcements arrive again and before any subscriber hears of it. */
  onReconnect(listener: () => void): () => void;
}

/** A notifier with what it holds on to; only who opened the database may end it. */
export interface OpenNotifier extends Notifier {
  close(): Promise<void>;
}

/** Longest payload: one id and a short detail. */
const maxPayloadBytes = 200;

/**
 * The call that announces, to stand in a statement's select list (also in a CTE's: a data-modifying statement's
 * `returning`). Heard by every process once the transaction has committed, by nobody when it is rolled back.
 * @param payload an id, optionally a space and a detail; below 200 bytes
 */
export const notification = (channel: Channel, payload: string | Expression<string>): RawBuilder<string> =>
  sql<string>`pg_notify(${sql.lit(channel)}, ${payload})::text`;

/**
 * Announces by a statement of its own, in the transaction given; see `notification`.
 * @throws {RangeError} when the payload is too long
 */
export async function notify<DB>(db: Kysely<DB>, channel: Channel, payload: string): Promise<void> {
  if (Buffer.byteLength(payload) >= maxPayloadBytes)
    throw new RangeError(
      `A notification is an id and a short detail, not ${Buffer.byteLength(payload)} bytes.`,
    );
  await sql`select ${notification(channel, payload)}`.execute(db);
}

/** Hands on in memory what the one listening connection hears. */
export class FanOut {
  readonly #listeners = new Map<string, Set<NotifierListener>>();
  readonly #reconnect = new Set<() => void>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe(channel: Channel, key: string, listener: NotifierListener): () => void {
    const address = `${channel} ${key}`;
    const listeners = this.#listeners.get(address) ?? new Set();
    // One function may be subscribed twice, and each subscription ends by itself.
    const own: NotifierListener = (event) => listener(event);
    this.#listeners.set(address, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(address) === listeners) this.#listeners.delete(address);
    };
  }

  onReconnect(listener: () => void): () => void {
    const own = () => listener();
    this.#reconnect.add(own);
    return () => this.#reconnect.delete(own);
  }

  deliver(channel: string, payload: string): void {
    const [key = "", detail = ""] = payload.split(/ (.*)/s, 2);
    const event: NotifierEvent = { kind: "notification", key, detail };
    for (const address of [key, everyKey])
      for (const listener of [...(this.#listeners.get(`${channel} ${address}`) ?? [])])
        this.#call(() => listener(event));
  }

  resync(): void {
    for (const listener of [...this.#reconnect]) this.#call(listener);
    for (const listener of [...this.#listeners.values()].flatMap((set) => [...set]))
      this.#call(() => listener({ kind: "resync" }));
  }

  /** One listener's error is its own: neither the others nor the connection may suffer from it. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log.error({ err: error }, "a notification listener threw");
    }
  }
}
