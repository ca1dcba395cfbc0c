import { sql } from "kysely";
import { isOnline } from "../devices/presence";
import type { Services } from "../services";

/** Counts everything on the site. */
export async function readStats({ database }: Pick<Services, "database">) {
  const { slow: db } = database;
  const counted = await sql<{ users: number; organizations: number; online: number; events: number }>`
        select (select count(*)::integer from users) as users,
          (select count(*)::integer from organizations) as organizations,
          (select count(*)::integer from devices where ${isOnline}) as online,
          (select count(*)::integer from analytics_events
            where received_at > now() - interval '24 hours') as events
      `.execute(db);
  const commands = await db
    .selectFrom("device_commands")
    .select(["status", (eb) => eb.cast<number>(eb.fn.countAll(), "integer").as("count")])
    .where(sql<boolean>`created_at > now() - interval '24 hours'`)
    .groupBy("status")
    .execute();
  const { users, organizations, online, events } = counted.rows[0] ?? {
    users: 0,
    organizations: 0,
    online: 0,
    events: 0,
  };
  return {
    users,
    organizations,
    devicesOnline: online,
    commands: Object.fromEntries(commands.map(({ status, count }) => [status, count])),
    events,
  };
}
