import { sessionPace } from "@grove/schemas";

/** The pauses between a session's reports. */
export interface Pauses {
  /** The debounce of a chunk: a program's frame arrives in pieces. */
  readonly settleMs: number;
  /** The pause between two chunks of a program that prints little by little. */
  readonly paceMs: number;
  /** No pause follows a chunk of this length. */
  readonly longLength: number;
}

export const USUAL: Pauses = { settleMs: 10, paceMs: sessionPace.watchedMs, longLength: 1_024 };
/** Short, so that a person who types sees the echo of each key. */
export const TYPING: Pauses = { settleMs: 5, paceMs: 15, longLength: 1_024 };
