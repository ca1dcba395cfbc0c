import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import type { Log } from "./log";

/** The channels: few and fixed, since every process listens to all of them. */
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
export const EVERY_KEY = "*";

/**
 * `notification`: `key` is the announced id, `detail` the text after it (often empty), `copy` the JSON of what the same
 * transaction wrote, if the announcement carries it. `resync`: announcements may have been missed; read the rows again.
 */
export type NotifierEvent =
  | { kind: "notification"; key: string; detail: string; copy?: string }
  | { kind: "resync" };

export type NotifierListener = (event: NotifierEvent) => void;

/**
 * Wake-ups between processes on one database. An announcement is a hint where to look: the rows are the truth. It may
 * carry a copy of a row as it was committed, which spares its listeners the read.
 */
export interface Notifier {
  /** Whether announcements arrive now. While they do not, nothing may rely on one. */
  readonly connected: boolean;
  /**
   * Calls `listener` for each announcement of `key` (an id, or `EVERY_KEY`), and after an outage. Returns a function
   * that unsubscribes.
   */
  subscribe(channel: Channel, key: string, listener: NotifierListener): () => void;
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

/** The limit of a payload without its copy: one id and a short detail. */
const MAX_PAYLOAD_BYTES = 200;
/** The limit of a copy. PostgreSQL takes payloads of less than 8 000 bytes. */
const MAX_COPY_BYTES = 4_000;

/**
 * The call that announces, for a statement's select list, or a data-modifying CTE's `returning`. It reaches every
 * process once the transaction has committed, and nobody if it is rolled back.
 * @param payload an id, optionally followed by a space and a detail; shorter than 200 bytes
 * @param copy JSON of what the transaction writes. It is left out if it has more than 4 000 bytes, so listeners must be
 * able to read the row instead
 */
export function notification(
  channel: Channel,
  payload: string | Expression<string>,
  copy?: Expression<string | null>,
): RawBuilder<string> {
  const copied = copy
    ? sql` || case when octet_length(${copy}) <= ${sql.lit(MAX_COPY_BYTES)} then e'\n' || ${copy} else '' end`
    : sql``;
  return sql<string>`pg_notify(${sql.lit(channel)}, ${payload}${copied})::text`;
}

/**
 * Announces with a statement of its own, in the given transaction; see `notification`.
 * @throws {RangeError} when the payload is too long
 */
export async function notify<DB>(db: Kysely<DB>, channel: Channel, payload: string): Promise<void> {
  if (Buffer.byteLength(payload) >= MAX_PAYLOAD_BYTES)
    throw new RangeError(
      `A notification is an id and a short detail, not ${Buffer.byteLength(payload)} bytes.`,
    );
  await sql`select ${notification(channel, payload)}`.execute(db);
}

/** Delivers in memory the announcements of the one listening connection. */
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

  /** @param isOwn whether this process has sent it */
  deliver(channel: string, payload: string, isOwn: boolean): void {
    increment(this.counts.heard, channel);
    if (isOwn) increment(this.counts.sent, channel);
    const [, key = "", detail = "", copy] = /^(\S*) ?(.*)(?:\n(.*))?$/.exec(payload) ?? [];
    const event: NotifierEvent = { kind: "notification", key, detail, ...(copy && { copy }) };
    for (const address of [key, EVERY_KEY])
      for (const listener of [...(this.#listeners.get(`${channel} ${address}`) ?? [])])
        this.#call(() => listener(event));
  }

  resync(): void {
    this.counts.reconnects++;
    for (const listener of [...this.#reconnect]) this.#call(listener);
    for (const listener of [...this.#listeners.values()].flatMap((set) => [...set]))
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
