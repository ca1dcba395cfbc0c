import { adminStats, noInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql } from "kysely";
import { isOnline } from "../../devices/presence";
import { output } from "../../trpc/output";
import { adminProcedure } from "../../trpc/procedures";

export const statsProcedures = {
  /** Totals of everything. It counts rows, so it is not for a page that many people look at. */
  stats: adminProcedure(noInput)
    .output(output(adminStats))
    .query(async ({ ctx }) => {
      const { slow: db } = ctx.services.database;
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
    }),
} satisfies TRPCRouterRecord;
