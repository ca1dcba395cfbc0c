import type { Database } from "@grove/db";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { DELETED_TASK_DAYS } from "../lib/lifetimes";

interface Kind {
  /** Far more than anyone needs: it keeps an organization or a user from filling the database. */
  limit: number;
  /** A statement that counts what is stored, by an index that begins with its owner: at most to this limit. */
  counted: (owner: string, limit: number) => RawBuilder<{ counted: string | null }>;
  /** The refusal's message; `#` stands for the limit. */
  refusal: string;
  /** The most that a process stores before it counts for the first time, or again. */
  uncounted?: number;
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

/** Limits on the data that an organization or a user may store. */
const quotaKinds = {
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
  deliveryBytes: bytesOf(
    GIB / 4,
    "integration_events",
    ["payload"],
    "The webhook deliveries of an organization that wait for their turn take at most # bytes. Deliver this again later.",
  ),
  resultBytes: {
    ...bytesOf(
      GIB,
      "device_commands",
      ["result", "late_result"],
      "The results of an organization's commands take at most # bytes.",
    ),
    // A sum reads each command of the last 30 days, and may take a second. Few organizations store so much.
    uncounted: GIB / 16,
  },
} satisfies Record<string, Kind>;

export type Stored = keyof typeof quotaKinds;

export const kindOf = (stored: Stored): Kind => quotaKinds[stored];
