import type { GroveDatabase } from "@grove/db";

type Notifier = GroveDatabase["notifier"];
type NotifierEvent = Parameters<Parameters<Notifier["subscribe"]>[2]>[0];

/** A viewer gets at most one report in this time about each user who types, independently of the number of keys. */
const REPORT_MS = 2_000;
const DETAIL = "typing ";

/** Announces to the viewers of a session that a user types into it. Nothing is stored. */
export const announceTyping = (notifier: Notifier, sessionId: string, userId: string): void =>
  notifier.announce("session_changed", `${sessionId} ${DETAIL}${userId}`);

/** The users who type into a session, as reported to one of its viewers. */
export class TypingUsers {
  readonly #reportedAt = new Map<string, number>();
  readonly #unreported = new Set<string>();

  /** @returns whether the announcement requires a read */
  add(event: NotifierEvent): boolean {
    if (event.kind !== "notification" || !event.detail.startsWith(DETAIL)) return true;
    const userId = event.detail.slice(DETAIL.length);
    const now = performance.now();
    if (now - (this.#reportedAt.get(userId) ?? Number.NEGATIVE_INFINITY) < REPORT_MS) return false;
    this.#reportedAt.set(userId, now);
    this.#unreported.add(userId);
    return true;
  }

  /** Returns the users to report now. */
  take(): string[] {
    const users = [...this.#unreported];
    this.#unreported.clear();
    return users;
  }
}
