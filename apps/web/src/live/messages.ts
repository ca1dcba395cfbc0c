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
  /** `lock` is a lock that the tab holds for as long as it lives, where the browser has locks. */
  { type: "look"; look: Look; lock: string | undefined } | { type: "leave" };

export type FromHub =
  | { type: "change"; change: Change }
  /**
   * From here on every change arrives. `missed`: earlier ones of tasks may not have arrived. Those of other things
   * have not: read them again.
   */
  | { type: "ready"; missed: boolean; version: string }
  /** The stream is open, or broken since this time (milliseconds since 1970). */
  | { type: "state"; brokenSince: number | null }
  /** The API refuses the stream: the session has ended, or the person's role has changed. It is tried again. */
  | { type: "refused" };
