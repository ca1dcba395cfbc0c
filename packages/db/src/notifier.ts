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
  "bus",
] as const;
export type Channel = (typeof channels)[number];

/**
 * The channels that NATS carries, if there is one. The others always go through the database: revocation must not
 * depend on a second server.
 */
export const busChannels = [
  "device_wake",
  "command_changed",
  "session_changed",
  "organization_event",
] as const satisfies readonly Channel[];

/** Subscribes to all keys of a channel. */
export const EVERY_KEY = "*";

/**
 * Words of processes about NATS, through the database. `away`: the sender does not hear NATS for so many milliseconds.
 * `read`: announcements may have been lost. `here`: the sender has NATS, and asks who does not.
 */
export const busWords = { away: "away", read: "read", here: "here" } as const;

/**
 * `notification`: `key` is the announced id, `detail` the text after it (often empty). `resync`: announcements may have been missed; read the rows again.
 */
export type NotifierEvent = { kind: "notification"; key: string; detail: string } | { kind: "resync" };

export type NotifierListener = (event: NotifierEvent) => void;

/**
 * Wake-ups between processes on one database. An announcement is a hint where to look: the rows are the truth.
 */
export interface Notifier {
  /** Whether announcements arrive now. While they do not, nothing may rely on one. */
  readonly connected: boolean;
  /**
   * Calls `listener` for each announcement of `key` (an id, or `EVERY_KEY`), and after an outage. Returns a function
   * that unsubscribes.
   */
  subscribe(channel: Channel, key: string, listener: NotifierListener): () => void;
  /**
   * A new id for something that this process will wait for. Its announcements reach this process anyway: listening to
   * it sends nothing, and needs no `settled`.
   */
  newId(): string;
  /** Calls `listener` after an outage, once announcements arrive again and before any subscriber is called. */
  onReconnect(listener: () => void): () => void;
  /**
   * Resolves once all subscriptions made so far are known wherever announcements are made. Await it before the first
   * read, unless what is waited for can only follow from something that this process sends later.
   */
  settled(): Promise<void>;
  /** NATS, if it carries announcements. */
  readonly bus?: BusState;
  /** Counts since this process opened the database. */
  readonly counts: NotifierCounts;
}

interface BusState {
  /** While false, the database carries all announcements. */
  readonly connected: boolean;
  /** How often the connection was lost since this process opened the database. */
  readonly outages: number;
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
 * The call that announces, for a statement's select list, or a data-modifying CTE's `returning`. It reaches every
 * process once the transaction has committed, and nobody if it is rolled back. Name the column `announced`, or a name
 * that begins so: a bus takes the announcement from there (`engines/announcing.ts`).
 * @param payload an id, optionally followed by a space and a detail; shorter than 200 bytes
 */
export const notification = (channel: Channel, payload: string | Expression<string>): RawBuilder<string> =>
  sql<string>`pg_notify(${sql.lit(channel)}, ${payload})::text`;

/**
 * Announces with a statement of its own, in the given transaction; see `notification`.
 * @throws {RangeError} when the payload is too long
 */
export async function notify<DB>(db: Kysely<DB>, channel: Channel, payload: string): Promise<void> {
  if (Buffer.byteLength(payload) >= MAX_PAYLOAD_BYTES)
    throw new RangeError(
      `A notification is an id and a short detail, not ${Buffer.byteLength(payload)} bytes.`,
    );
  await sql`select ${notification(channel, payload)} as announced`.execute(db);
}

/** Begins to hear the announcements of one key, and returns a function that ends it. */
export type Hear = (channel: Channel, key: string) => () => void;

const nothing = () => {};
const hearsAll: Hear = () => nothing;

interface Listeners {
  set: Set<NotifierListener>;
  end: () => void;
}

/** Delivers in memory the announcements that reach this process. */
export class FanOut {
  readonly #listeners = new Map<string, Listeners>();
  readonly #reconnect = new Set<() => void>();
  readonly #log: Log;
  readonly #hear: Hear;
  readonly counts = { heard: new Map<string, number>(), sent: new Map<string, number>(), reconnects: 0 };

  /** @param hear called for each key with its first listener */
  constructor(log: Log, hear: Hear = hearsAll) {
    this.#log = log;
    this.#hear = hear;
  }

  subscribe(channel: Channel, key: string, listener: NotifierListener): () => void {
    const address = `${channel} ${key}`;
    const listeners = this.#listeners.get(address) ?? { set: new Set(), end: this.#hear(channel, key) };
    // The same function may be subscribed twice, and each subscription ends separately.
    const own: NotifierListener = (event) => listener(event);
    listeners.set.add(own);
    this.#listeners.set(address, listeners);
    return () => {
      if (!listeners.set.delete(own) || listeners.set.size > 0) return;
      this.#listeners.delete(address);
      listeners.end();
    };
  }

  onReconnect(listener: () => void): () => void {
    const own = () => listener();
    this.#reconnect.add(own);
    return () => this.#reconnect.delete(own);
  }

  /**
   * @param isOwn whether this process has sent it
   * @param only the one of its keys that it was heard for: its own, or `EVERY_KEY`. By default both
   */
  deliver(channel: string, payload: string, isOwn: boolean, only?: string): void {
    increment(this.counts.heard, channel);
    if (isOwn) increment(this.counts.sent, channel);
    const end = payload.indexOf(" ");
    const key = end === -1 ? payload : payload.slice(0, end);
    const event: NotifierEvent = { kind: "notification", key, detail: payload.slice(key.length + 1) };
    for (const address of only === undefined ? [key, EVERY_KEY] : [only])
      for (const listener of [...(this.#listeners.get(`${channel} ${address}`)?.set ?? [])])
        this.#call(() => listener(event));
  }

  /** Announcements arrive again after an outage. */
  resync(): void {
    this.counts.reconnects++;
    for (const listener of [...this.#reconnect]) this.#call(listener);
    this.readAgain(channels);
  }

  /** Tells the subscribers of these channels that they may have missed something. */
  readAgain(missed: readonly Channel[]): void {
    const ofThese = [...this.#listeners].filter(([address]) =>
      missed.some((channel) => address.startsWith(`${channel} `)),
    );
    for (const listener of ofThese.flatMap(([, { set }]) => [...set]))
      this.#call(() => listener({ kind: "resync" }));
  }

  /** Every channel and key that somebody listens to. */
  keys(): [channel: Channel, key: string][] {
    return [...this.#listeners.keys()].map((address) => address.split(" ") as [Channel, string]);
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
