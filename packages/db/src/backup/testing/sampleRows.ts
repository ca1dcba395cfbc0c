import { type Kysely, sql } from "kysely";
import type { Database } from "../../tables";
import { agentSessions } from "./rows/agentSessions";
import { changes } from "./rows/changes";
import { devices } from "./rows/devices";
import { integrations } from "./rows/integrations";
import { notifications } from "./rows/notifications";
import { organizations } from "./rows/organizations";
import { projects } from "./rows/projects";

/** All tables. A table comes after those that it references. */
const tables = [organizations, devices, projects, agentSessions, integrations, changes, notifications];

/** The fixed row counts of small tables. */
const fixedCounts: Record<string, number> = {
  users: 20,
  sessions: 20,
  devices: 30,
  memberships: 3,
  push_keys: 1,
};
const DEFAULT_COUNT = 3;
const SLICE = 2_000;

/**
 * Inserts about `total` rows into an empty database, some into every table, the same ones in each run. For tests and
 * benchmarks. The values cover what a copy easily loses: microseconds, quotes, and both SQL's and JSON's null.
 */
export async function insertSampleRows(db: Kysely<Database>, total: number): Promise<void> {
  for (const [table, { share, columns, select }] of tables.flatMap((rows) => Object.entries(rows))) {
    const count =
      share === 0
        ? (fixedCounts[table] ?? DEFAULT_COUNT)
        : Math.max(DEFAULT_COUNT, Math.round((total * share) / 1000));
    // In slices, since a statement may not take long.
    for (let from = 0; from < count; from += SLICE)
      await sql`insert into ${sql.table(table)} (${sql.raw(columns)}) select ${sql.raw(select)}
        from generate_series(${sql.lit(from)}::int, ${sql.lit(Math.min(count, from + SLICE) - 1)}) as n`.execute(
        db,
      );
  }
}
