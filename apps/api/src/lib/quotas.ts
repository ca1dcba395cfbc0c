import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, type RawBuilder, sql } from "kysely";
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

/** The kinds that an organization stores, and a user (the last two). */
const kinds = {
  tasks: {
    limit: 200_000,
    rows: (owner) => sql`select from tasks where organization_id = ${owner}`,
    refusal: `An organization has at most # tasks, with those deleted in the last ${DELETED_TASK_DAYS} days. Delete some.`,
  },
  projects: {
    limit: 10_000,
    rows: (owner) => sql`select from projects where organization_id = ${owner}`,
    refusal: "An organization has at most # projects. Delete some first.",
  },
  workspaces: {
    limit: 500_000,
    rows: (owner) => sql`select from workspaces where organization_id = ${owner}
      union all select from workspace_tombstones where organization_id = ${owner}`,
    refusal: "An organization makes at most # workspaces, deleted ones included.",
  },
  devices: {
    limit: 50_000,
    rows: (owner) => sql`select from devices where organization_id = ${owner}`,
    refusal: "An organization registers at most # devices, revoked ones included.",
  },
  apiKeys: {
    limit: 50_000,
    rows: (owner) => sql`select from api_keys where organization_id = ${owner}`,
    refusal: "An organization makes at most # API keys, revoked ones included.",
  },
  invitations: {
    limit: 50_000,
    rows: (owner) => sql`select from invitations where organization_id = ${owner}`,
    refusal: "An organization makes at most # invitations.",
  },
  chatSessions: {
    limit: 50_000,
    rows: (owner) => sql`select from chat_sessions where organization_id = ${owner}`,
    refusal: "An organization has at most # chat sessions. Delete some first.",
  },
  chatMessages: {
    limit: 500_000,
    rows: (owner) => sql`select from chat_messages where organization_id = ${owner}`,
    refusal: "An organization has at most # chat messages. Delete a chat session first.",
  },
  analyticsEvents: {
    limit: 2_000_000,
    rows: (owner) => sql`select from analytics_events where organization_id = ${owner}`,
    refusal: "An organization has at most # analytics events. Each is deleted after 400 days.",
  },
  ownAnalyticsEvents: {
    limit: 100_000,
    rows: (owner) => sql`select from analytics_events where user_id = ${owner} and organization_id is null`,
    refusal: "A user has at most # analytics events of no organization. Each is deleted after 400 days.",
  },
  ownedOrganizations: {
    limit: 100,
    rows: (owner) => sql`select from memberships where user_id = ${owner} and role = 'owner'`,
    refusal: "A user owns at most # organizations. Delete one first, or give it to another member.",
  },
} satisfies Record<string, Kind>;

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

  /** @param limits replaces some of the defaults */
  constructor(private readonly limits: Partial<Record<Stored, number>> = {}) {}

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
    return this.limits[stored] ?? kinds[stored].limit;
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
