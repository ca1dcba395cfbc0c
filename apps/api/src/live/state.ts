import type { Database } from "@grove/db";
import type { Device, Workspace } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { ownerOfDevice, type SessionOnDevice, type SessionRow, toAgentSession } from "../agentSessions/row";
import { movedSince } from "../devices/presence";
import { deviceColumns, toDevice } from "../devices/row";
import { toWorkspace } from "../workspaces/row";

/** A reading also sees what changed for the last time this long before it. Longer transactions are cut off. */
export const SEEN_AGAIN_MS = 60_000;
const recently = sql<string>`now() - interval ${sql.lit(`${SEEN_AGAIN_MS} milliseconds`)}`;

/** More rows than this of a kind are not followed: lists of so many are read by pages. */
const MOST_ROWS = 2_000;

/** A thing as it is now. A session says what it asks only to some people, so its row is kept. */
export type Change =
  | { type: "device"; device: Device; at: string }
  | { type: "session"; session: SessionRow & Pick<SessionOnDevice, "device_owner_id">; at: string }
  | { type: "workspace"; workspace: Workspace }
  | { type: "workspace_gone"; id: string }
  | { type: "projects_changed" }
  | { type: "organization_changed" };

/** `print` differs when something that people see has changed. */
export interface Found {
  key: string;
  print: string;
  change: Change;
}

type Read = (db: Kysely<Database>, organizationId: string) => Promise<Found[]>;

/** Everything in an organization that lives or has changed recently. */
export const readState: Read = async (db, organizationId) => {
  const found: Found[] = [];
  // One after another: nobody waits for this, and others need the connections.
  for (const read of [readDevices, readSessions, readWorkspaces, readGone, readProjects, readAudit])
    found.push(...(await read(db, organizationId)));
  return found;
};

/** The devices that were online or changed within the last minute. */
const readDevices: Read = async (db, organizationId) => {
  const rows = await db
    .selectFrom("devices")
    .select(deviceColumns)
    .select(sql<string>`now()`.as("at"))
    .where("organization_id", "=", organizationId)
    .where(movedSince(recently))
    .orderBy("created_at", "desc")
    .limit(MOST_ROWS)
    .execute();
  return rows.map(({ at, ...row }) => {
    const device = toDevice(row);
    // It changes all the time.
    const { lastSeenAt: _, ...seen } = device;
    return {
      key: `device ${device.id}`,
      print: JSON.stringify(seen),
      change: { type: "device", device, at },
    };
  });
};

const readSessions: Read = async (db, organizationId) => {
  const rows = await db
    .selectFrom("agent_sessions")
    .selectAll()
    .select(ownerOfDevice)
    .select(sql<string>`now()`.as("at"))
    .where("organization_id", "=", organizationId)
    .where((eb) => eb.or([eb("status", "=", "running"), eb("ended_at", ">", recently)]))
    .orderBy("created_at", "desc")
    .limit(MOST_ROWS)
    .execute();
  return rows.map(({ at, ...session }) => ({
    key: `session ${session.id}`,
    print: JSON.stringify(toAgentSession(session, true)),
    change: { type: "session", session, at },
  }));
};

const readWorkspaces: Read = async (db, organizationId) => {
  const rows = await db
    .selectFrom("workspaces")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("updated_at", ">", recently)
    .orderBy("updated_at", "desc")
    .limit(MOST_ROWS)
    .execute();
  return rows.map((row) => ({
    key: `workspace ${row.id}`,
    print: `${row.updated_at} ${row.device_id}`,
    change: { type: "workspace", workspace: toWorkspace(row) },
  }));
};

const readGone: Read = async (db, organizationId) => {
  const rows = await db
    .selectFrom("workspace_tombstones")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", ">", recently)
    .orderBy("deleted_at", "desc")
    .limit(MOST_ROWS)
    .execute();
  return rows.map(({ id }) => ({ key: `gone ${id}`, print: "", change: { type: "workspace_gone", id } }));
};

/** Projects are few and rarely change, so that theirs is one change. */
const readProjects: Read = async (db, organizationId) => {
  const { count, newest } = await db
    .selectFrom("projects")
    .select((eb) => [eb.fn.countAll<string>().as("count"), eb.fn.max("updated_at").as("newest")])
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return [{ key: "projects", print: `${count} ${newest}`, change: { type: "projects_changed" } }];
};

/** Every change of members, invitations and keys is audited, and the newest audit event is found by its index. */
const readAudit: Read = async (db, organizationId) => {
  const newest = await db
    .selectFrom("audit_events")
    .select("id")
    .where("organization_id", "=", organizationId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return [{ key: "audit", print: newest?.id ?? "", change: { type: "organization_changed" } }];
};
