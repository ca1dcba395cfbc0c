import type { Database } from "@grove/db";
import { DELETED_TASK_DAYS, notificationLimits } from "@grove/schemas";
import { type RawBuilder, type SqlBool, sql } from "kysely";

interface Kind {
  /** Far above normal use. The limit keeps an organization or a user from filling the database. */
  limit: number;
  /** A statement that counts an owner's rows up to this limit, by an index that begins with the owner. */
  counted: (owner: string, limit: number) => RawBuilder<{ counted: string | null }>;
  /** The refusal's message; `#` is replaced by the limit. */
  refusal: string;
  /** How much a process may store without counting: at first, and again after each count. */
  uncountedAllowance?: number;
}

type Tables = readonly (keyof Database)[];

const countOf = (rows: RawBuilder<unknown>, limit: number) =>
  sql<{ counted: string }>`select count(*) as counted
    from (select from (${rows}) as stored limit ${limit}) as counted`;

const ofOrganization = (limit: number, tables: Tables, refusal: string): Kind => ({
  limit,
  counted: (owner, max) => {
    const rows = tables.map((table) => sql`select from ${sql.table(table)} where organization_id = ${owner}`);
    return countOf(sql.join(rows, sql` union all `), max);
  },
  refusal: `An organization ${refusal}`,
});

/** Limits the stored, compressed size in bytes. Summing reads only the sizes of long values, not the values. */
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
  counted: (owner, max) =>
    countOf(sql`select from ${sql.table(table)} where user_id = ${owner} and ${only}`, max),
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
    "can create at most # workspaces, including deleted ones.",
  ),
  changes: ofOrganization(
    200_000,
    ["changes"],
    "has at most # changes, each the branch of a workspace. Delete some tasks or projects first.",
  ),
  devices: ofOrganization(50_000, ["devices"], "can register at most # devices, including revoked ones."),
  apiKeys: ofOrganization(50_000, ["api_keys"], "can create at most # API keys, including revoked ones."),
  invitations: ofOrganization(50_000, ["invitations"], "can create at most # invitations."),
  chatSessions: ofOrganization(50_000, ["chat_sessions"], "has at most # chat sessions. Delete some first."),
  chatMessages: ofOrganization(
    500_000,
    ["chat_messages"],
    "has at most # chat messages. Delete a chat session first.",
  ),
  analyticsEvents: ofOrganization(
    2_000_000,
    ["analytics_events"],
    "has at most # analytics events. Events older than ANALYTICS_DAYS do not count.",
  ),
  ownAnalyticsEvents: ofUser(
    100_000,
    "analytics_events",
    sql`organization_id is null`,
    "has at most # analytics events outside an organization. Events older than ANALYTICS_DAYS do not count.",
  ),
  ownedOrganizations: ofUser(
    100,
    "memberships",
    sql`role = 'owner'`,
    "can own at most # organizations. Delete one first, or give it to another member.",
  ),
  pushSubscriptions: ofUser(
    notificationLimits.subscriptions,
    "push_subscriptions",
    sql`true`,
    "can subscribe at most # browsers. Remove one first.",
  ),
  taskBytes: bytesOf(
    2 * GIB,
    "tasks",
    ["description", "search_text", "search_bigrams"],
    `An organization can store at most # bytes of task texts, with those of tasks deleted in the last ${DELETED_TASK_DAYS} days. Delete some.`,
  ),
  commentBytes: bytesOf(
    GIB,
    "task_activity",
    ["body"],
    "An organization can store at most # bytes of task comments. Delete some first.",
  ),
  workspaceBytes: bytesOf(
    GIB,
    "workspaces",
    ["config"],
    "An organization can store at most # bytes of workspace configurations. Delete some workspaces first.",
  ),
  secretBytes: bytesOf(
    GIB / 4,
    "project_secrets",
    ["sealed"],
    "An organization can store at most # bytes of secrets. Delete some first.",
  ),
  chatBytes: bytesOf(
    GIB,
    "chat_messages",
    ["text"],
    "An organization can store at most # bytes of chat messages. Delete a chat session first.",
  ),
  analyticsBytes: bytesOf(
    GIB,
    "analytics_events",
    ["properties"],
    "An organization's analytics events can have # bytes of properties in total. Events older than ANALYTICS_DAYS do not count.",
  ),
  ownAnalyticsBytes: bytesOf(
    GIB / 16,
    "analytics_events",
    ["properties"],
    "A user's analytics events outside an organization can have # bytes of properties in total. Events older than ANALYTICS_DAYS do not count.",
    (owner) => sql`user_id = ${owner} and organization_id is null`,
  ),
  deliveryBytes: bytesOf(
    GIB / 4,
    "integration_events",
    ["payload"],
    "An organization can have at most # bytes of webhook deliveries that wait to be processed. Deliver this again later.",
  ),
  resultBytes: {
    ...bytesOf(
      GIB,
      "device_commands",
      ["result", "late_result"],
      "An organization can store at most # bytes of command results.",
    ),
    // The sum reads all commands of the last 30 days, which may take a second. Few organizations store more than this.
    uncountedAllowance: GIB / 16,
  },
} satisfies Record<string, Kind>;

export type Stored = keyof typeof quotaKinds;

export const kindOf = (stored: Stored): Kind => quotaKinds[stored];
