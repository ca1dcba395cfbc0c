import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { DELETED_TASK_DAYS } from "./lifetimes";

interface Kind {
  /** Far more than anybody needs, so that nobody fills the database. */
  limit: number;
  /** A statement that counts what is stored, by an index that begins with its owner: at most to this limit. */
  counted: (owner: string, limit: number) => RawBuilder<{ counted: string | null }>;
  /** The refusal's message; `#` stands for the limit. */
  refusal: string;
}

type Tables = readonly (keyof Database)[];

const countOf = (rows: RawBuilder<unknown>, limit: number) =>
  sql<{ counted: string }>`select count(*) as counted
    from (select from (${rows}) as stored limit ${limit}) as counted`;

const ofOrganization = (limit: number, tables: Tables, refusal: string): Kind => ({
  limit,
  counted: (owner, most) => {
    const rows = tables.map((table) => sql`select from ${sql.table(table)} where organization_id = ${owner}`);
    return countOf(sql.join(rows, sql` union all `), most);
  },
  refusal: `An organization ${refusal}`,
});

/** Bytes as they are stored, compressed: a sum reads the sizes of long values, and not the values. */
const bytesOf = (
  limit: number,
  table: keyof Database,
  columns: readonly string[],
  refusal: string,
  whose: (owner: string) => RawBuilder<SqlBool> = (owner) => sql`organization_id = ${owner}`,
): Kind => ({
  limit,
  counted: (owner) => {
    const sizes = columns.map((column) => sql`coalesce(pg_column_size(${sql.ref(column)}), 0)::bigint`);
    return sql`select sum(${sql.join(sizes, sql` + `)}) as counted from ${sql.table(table)} where ${whose(owner)}`;
  },
  refusal,
});

const GIB = 1024 ** 3;

const ofUser = (limit: number, table: keyof Database, only: RawBuilder<SqlBool>, refusal: string): Kind => ({
  limit,
  counted: (owner, most) =>
    countOf(sql`select from ${sql.table(table)} where user_id = ${owner} and ${only}`, most),
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
  taskBytes: bytesOf(
    2 * GIB,
    "tasks",
    ["description", "search_text", "search_bigrams"],
    `The texts of an organization's tasks take at most # bytes, with those deleted in the last ${DELETED_TASK_DAYS} days. Delete some.`,
  ),
  workspaceBytes: bytesOf(
    GIB,
    "workspaces",
    ["config"],
    "The configurations of an organization's workspaces take at most # bytes. Delete some workspaces first.",
  ),
  secretBytes: bytesOf(
    GIB / 4,
    "project_secrets",
    ["sealed"],
    "The secrets of an organization take at most # bytes. Delete some first.",
  ),
  chatBytes: bytesOf(
    GIB,
    "chat_messages",
    ["text"],
    "The chat messages of an organization take at most # bytes. Delete a chat session first.",
  ),
  analyticsBytes: bytesOf(
    GIB,
    "analytics_events",
    ["properties"],
    "The properties of an organization's analytics events take at most # bytes, without those that have been added up (ANALYTICS_DAYS).",
  ),
  ownAnalyticsBytes: bytesOf(
    GIB / 16,
    "analytics_events",
    ["properties"],
    "The properties of a user's analytics events of no organization take at most # bytes, without those that have been added up (ANALYTICS_DAYS).",
    (owner) => sql`user_id = ${owner} and organization_id is null`,
  ),
} satisfies Record<string, Kind>;

export type Stored = keyof typeof kinds;

/** How long a count is trusted. Until then only what this process stores is added to it. */
const BELIEVED_MS = 10 * 60_000;
/** How soon a full count is made again: something may have been deleted. A sum of bytes reads every row. */
const FULL_MS = 2_000;
const FULL_BYTES_MS = 60_000;
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
   * Reserves room for rows about to be stored, or just stored in the same transaction; or for as many bytes. Bytes that
   * replace others are counted as further ones until they are summed again.
   * @param db inside a transaction: that one, since the call must not wait for a second connection
   * @param owner the id of the organization or the user
   * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
   */
  async take(db: Kysely<Database>, stored: Stored, owner: string, more = 1): Promise<void> {
    const key = `${stored} ${owner}`;
    const fullMs = stored.endsWith("Bytes") ? FULL_BYTES_MS : FULL_MS;
    let known = this.#known.get(key);
    if (!known || (known.room < more && performance.now() - known.at > fullMs)) {
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
    const { rows } = await kinds[stored].counted(owner, limit).execute(db);
    return limit - Number(rows[0]?.counted ?? 0);
  }

  #refusal(stored: Stored): GroveError {
    const limit = this.#limitOf(stored);
    return new GroveError("PRECONDITION_FAILED", kinds[stored].refusal.replace("#", `${limit}`), {
      reason: "quota_exceeded",
      details: { stored, limit },
    });
  }
}
