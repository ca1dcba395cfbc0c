import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";

/** The channels: a small fixed list, since every process listens to all of them. */
export const channels = [
  "device_wake",
  "command_changed",
  "credential_revoked",
  "organization_event",
  "session_changed",
  "attention",
  "notification_due",
  "integration_event",
  "integration_refreshed",
  "pull_due",
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
  /** Announcements in `heard` that this process sent itself. */
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
 * Returns an SQL call that sends an announcement, for a statement's select list or a data-modifying CTE's `returning`.
 * The announcement reaches every process once the transaction has committed, and none if it is rolled back. PostgreSQL
 * commits transactions with such a call one after another; frequent statements use `Notifier.announce` after their
 * commit instead.
 * @param payload an id, optionally followed by a space and a detail; shorter than 200 bytes
 */
export const notification = (channel: Channel, payload: string | Expression<string>): RawBuilder<string> =>
  sql<string>`pg_notify(${sql.lit(channel)}, ${payload})::text`;

/**
 * Announces with a separate statement in the given transaction; see `notification`.
 * @throws {RangeError} when the payload is too long
 */
export async function notify<DB>(db: Kysely<DB>, channel: Channel, payload: string): Promise<void> {
  requireShortPayload(payload);
  await sql`select ${notification(channel, payload)} as announced`.execute(db);
}

/** @throws {RangeError} when the payload is too long, or has several lines */
export function requireShortPayload(payload: string): void {
  if (Buffer.byteLength(payload) >= MAX_PAYLOAD_BYTES)
    throw new RangeError(
      `A notification is an id and a short detail, not ${Buffer.byteLength(payload)} bytes.`,
    );
  if (payload.includes("\n")) throw new RangeError("A notification is one line.");
}
