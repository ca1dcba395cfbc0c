import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { DELETED_TASK_DAYS } from "./lifetimes";

interface Kind {
  /** Far more than anybody needs, so that nobody fills the database. */
  limit: number;
  /** The rows of this kind, found by an index that begins with their owner. */
  rows: (owner: string) => RawBuilder<unknown>;
  /** The refusal's message; `#` stands for the limit. */
  refusal: string;
}

type Tables = readonly (keyof Database)[];

const ofOrganization = (limit: number, tables: Tables, refusal: string): Kind => ({
  limit,
  rows: (owner) =>
    sql.join(
      tables.map((table) => sql`select from ${sql.table(table)} where organization_id = ${owner}`),
      sql` union all `,
    ),
  refusal: `An organization ${refusal}`,
});

const ofUser = (limit: number, table: keyof Database, only: RawBuilder<SqlBool>, refusal: string): Kind => ({
  limit,
  rows: (owner) => sql`select from ${sql.table(table)} where user_id = ${owner} and ${only}`,
  refusal: `A user ${refusal}`,
});

const kinds = {
  tasks: ofOrganization(
    200_000,
    ["tasks"],
    `has at most # tasks, with those deleted in the last ${DELETED_TASK_DAYS} days. Delete some.`,
  ),
  projects: ofOrganization(10_000, ["projects"], "has at most # projects. Delete some first."),
  workspaces: ofOrganization(
    500_000,
    ["workspaces", "workspace_tombstones"],
    "makes at most # workspaces, deleted ones included.",
  ),
  devices: ofOrganization(50_000, ["devices"], "registers at most # devices, revoked ones included."),
  apiKeys: ofOrganization(50_000, ["api_keys"], "makes at most # API keys, revoked ones included."),
  invitations: ofOrganization(50_000, ["invitations"], "makes at most # invitations."),
  chatSessions: ofOrganization(50_000, ["chat_sessions"], "has at most # chat sessions. Delete some first."),
  chatMessages: ofOrganization(
    500_000,
    ["chat_messages"],
    "has at most # chat messages. Delete a chat session first.",
  ),
  analyticsEvents: ofOrganization(
    2_000_000,
    ["analytics_events"],
    "has at most # analytics events, without those that have been added up (ANALYTICS_DAYS).",
  ),
  ownAnalyticsEvents: ofUser(
    100_000,
    "analytics_events",
    sql`organization_id is null`,
    "has at most # analytics events of no organization, without those that have been added up (ANALYTICS_DAYS).",
  ),
  ownedOrganizations: ofUser(
    100,
    "memberships",
    sql`role = 'owner'`,
    "owns at most # organizations. Delete one first, or give it to another member.",
  ),
};

export type Stored = keyof typeof kinds;

/** How long a count is trusted. Until then only what this process stores is added to it. */
const BELIEVED_MS = 10 * 60_000;
/** How soon a full count is made again: something may have been deleted. */
const FULL_MS = 2_000;
const MAX_KNOWN = 20_000;

/**
 * Bounds what an organization or a user stores. The bound is approximate: an instance counts only occasionally, so that
 * hardly any call waits for it, and other instances may store a little more in between.
 */
export class Quotas {
  readonly #known = new LRUCache<string, { room: number; at: number }>({ max: MAX_KNOWN, ttl: BELIEVED_MS });

  readonly #limits: Partial<Record<Stored, number>>;

  /** @param limits replaces some of the defaults */
  constructor(limits: Partial<Record<Stored, number>> = {}) {
    this.#limits = limits;
  }

  /**
   * Reserves room for rows about to be stored, or just stored in the same transaction.
   * @param db inside a transaction: that one, since the call must not wait for a second connection
   * @param owner the id of the organization or the user
   * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
   */
  async take(db: Kysely<Database>, stored: Stored, owner: string, more = 1): Promise<void> {
    const key = `${stored} ${owner}`;
    let known = this.#known.get(key);
    if (!known || (known.room < more && performance.now() - known.at > FULL_MS)) {
      known = { room: await this.#count(db, stored, owner), at: performance.now() };
      this.#known.set(key, known);
    }
    if (known.room < more) throw this.#refusal(stored);
    known.room -= more;
  }

  #limitOf(stored: Stored): number {
    return this.#limits[stored] ?? kinds[stored].limit;
  }

  async #count(db: Kysely<Database>, stored: Stored, owner: string): Promise<number> {
    const limit = this.#limitOf(stored);
    const { rows } = await sql<{ counted: number }>`select count(*)::integer as counted
      from (select from (${kinds[stored].rows(owner)}) as stored limit ${limit}) as counted`.execute(db);
    return limit - (rows[0]?.counted ?? 0);
  }

  #refusal(stored: Stored): GroveError {
    const limit = this.#limitOf(stored);
    return new GroveError("PRECONDITION_FAILED", kinds[stored].refusal.replace("#", `${limit}`), {
      reason: "quota_exceeded",
      details: { stored, limit },
    });
  }
}
