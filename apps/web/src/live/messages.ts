import type { OrganizationEvent } from "@grove/schemas";

/** A change of something that people see. */
export type Change = Exclude<OrganizationEvent, { type: "ready" }>;

/** A tab looks at an organization, as this person. */
export interface Look {
  organizationId: string;
  userId: string;
  /** The session's token, in local mode. */
  token: string | undefined;
}

export type ToHub =
  /** A lock that the tab holds for as long as it lives, where the browser has locks. */
  | { type: "lock"; lock: string }
  | { type: "look"; look: Look }
  /** It looks at no organization. */
  | { type: "leave" }
  /** It is closed, or kept for the way back: nothing of it is open any more. */
  | { type: "end" }
  /** A terminal is visible, and needs a place. */
  | { type: "show"; terminal: string }
  /** A person wants to see this terminal rather than another one. */
  | { type: "take"; terminal: string }
  | { type: "hide"; terminal: string }
  /** A call that waits for a device wants to begin. */
  | { type: "call"; call: string }
  /** It has ended. */
  | { type: "called"; call: string };

export type FromHub =
  | { type: "change"; change: Change }
  /**
   * From here on every change arrives. `missed`: earlier ones of tasks may not have arrived. Those of other things
   * have not: read them again.
   */
  | { type: "ready"; missed: boolean; version: string }
  /**
   * The stream is open, or broken since this time (milliseconds since 1970). `isSilent`: it has not failed, but nothing
   * arrives by it.
   */
  | { type: "state"; brokenSince: number | null; isSilent: boolean }
  /** The API refuses the stream: the session has ended, or the person's role has changed. It is tried again. */
  | { type: "refused" }
  /** Whether a terminal has a place. */
  | { type: "place"; terminal: string; has: boolean }
  /** A call may begin. */
  | { type: "turn"; call: string };

/** A message about what happens in the organization. */
export type News = Exclude<FromHub, { type: "place" | "turn" }>;
