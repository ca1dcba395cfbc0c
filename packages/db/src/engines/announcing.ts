import { busChannels } from "../notifier";

/** Where a database's announcements go, if not through PostgreSQL. */
export interface Announcements {
  /** Takes what is committed, each as `<channel> <payload>`. */
  publish(announcements: readonly string[]): void;
  /** Something may have been committed, and its announcements are unknown. */
  doubt(): void;
}

/** The calls of `notification()` whose announcements a bus carries. */
const CALL = new RegExp(`pg_notify\\('(${busChannels.join("|")})', `, "g");
const COLUMN = "announced";

/**
 * A statement's text, with its announcements as text in its columns instead of calls that make them.
 * @throws {Error} when no column is named for that
 */
export function withoutCalls(text: string): string {
  const without = text.replace(CALL, "('$1 ' || ");
  if (without !== text && !/ as "?announced/.test(text))
    throw new Error(`A statement announces in a column that is not named "${COLUMN}": ${text}`);
  return without;
}

const announces = (sent: string) => busChannels.some((channel) => sent.includes(`('${channel} ' || `));

/**
 * Takes the announcements off what the statements of one connection return, and publishes them once they are committed:
 * after a statement of its own, or after its transaction's commit.
 */
export class Announcing {
  readonly #to: Announcements;
  /** The announcements of the open transaction; undefined outside of transactions. */
  #held: string[] | undefined;
  /** Their number at each savepoint. */
  readonly #marks = new Map<string, number>();

  constructor(to: Announcements) {
    this.#to = to;
  }

  /** A statement of a transaction's own has succeeded: its begin or end, or a savepoint. */
  onControl(text: string): void {
    const [, word, savepoint = ""] = /^(\w+)(?: to)?(?: (.*))?$/.exec(text) ?? [];
    const held = this.#held;
    if (word === "begin" || word === "start") this.#held = [];
    else if (word === "savepoint") this.#marks.set(savepoint, held?.length ?? 0);
    else if (word === "rollback" && savepoint) held?.splice(this.#marks.get(savepoint) ?? 0);
    else if (word === "commit" || word === "rollback") {
      this.forget();
      if (word === "commit" && held?.length) this.#to.publish(held);
    }
  }

  /** A statement that announces has returned this. */
  onResult({ rows }: { rows: readonly object[] }): void {
    const announcements: string[] = [];
    for (const row of rows)
      for (const [name, value] of Object.entries(row)) {
        if (!name.startsWith(COLUMN)) continue;
        if (typeof value === "string" && value !== "") announcements.push(value);
        Reflect.set(row, name, null);
      }
    if (announcements.length === 0) return;
    if (this.#held) this.#held.push(...announcements);
    else this.#to.publish(announcements);
  }

  /** The connection was lost during a statement. */
  onUnknown(sent: string): void {
    const mayBeCommitted = this.#held ? sent === "commit" && this.#held.length > 0 : announces(sent);
    if (mayBeCommitted) this.#to.doubt();
  }

  /** No transaction is open any longer, however it ended. */
  forget(): void {
    this.#held = undefined;
    this.#marks.clear();
  }
}
