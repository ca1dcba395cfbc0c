import type { OrganizationEvent, SessionOutputsEvent } from "@grove/schemas";

/** An event that changes what pages show. */
export type Change = Exclude<OrganizationEvent, { type: "ready" }>;

/** The organization that a tab follows, and the user who follows it. */
export interface Subscription {
  organizationId: string;
  userId: string;
  /** The session's token, in local mode. */
  token: string | undefined;
}

export type ToHub =
  /** A lock that the tab holds until it is closed, in browsers with Web Locks. */
  | { type: "lock"; lock: string }
  | { type: "subscribe"; subscription: Subscription }
  | { type: "unsubscribe" }
  /** The tab was closed or entered the back/forward cache: release everything it held. */
  | { type: "end" }
  /** A terminal became visible, and needs its session's output after the chunk `after`. */
  | { type: "show"; terminal: string; subscription: Subscription; session: string; after: number }
  | { type: "hide"; terminal: string }
  /** A call that waits for a device requests its turn. */
  | { type: "call"; call: string }
  | { type: "callEnded"; call: string };

export type FromHub =
  | { type: "change"; change: Change }
  /**
   * From here on, every change arrives. `missed`: earlier task changes may be missing, so read tasks again. Changes of
   * everything else are not replayed, so always read those again.
   */
  | { type: "ready"; missed: boolean; version: string }
  /**
   * The stream is open, or broken since this time (milliseconds since 1970). `isSilent`: the stream has not failed, but
   * no event arrives.
   */
  | { type: "state"; brokenSince: number | null; isSilent: boolean }
  /** The API refuses the stream: the session has ended, or the user's role has changed. The hub tries again. */
  | { type: "refused" }
  | { type: "output"; terminal: string; output: SessionOutputsEvent }
  /** Whether the stream with the terminal's output is open. It reconnects automatically. */
  | { type: "connection"; terminal: string; isOpen: boolean }
  /** The hub grants this call its turn: the tab may send it. */
  | { type: "turn"; call: string };

/** A message about the organization's stream. */
export type StreamMessage = Exclude<FromHub, { type: "output" | "connection" | "turn" }>;
