import type { Database } from "@grove/db";
import type { Device, OrganizationEvent, Workspace } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { type RequestRow, requestsIn } from "../agentRequests/row";
import { ownerOfDevice, type SessionOnDevice, type SessionRow, toAgentSession } from "../agentSessions/row";
import { changedSince } from "../devices/presence";
import { deviceColumns, toDevice } from "../devices/row";
import { milliseconds } from "../lib/interval";
import { changeState, workState } from "../lib/workState";
import { toWorkspace } from "../workspaces/row";

/** A read includes rows that last changed up to this long before it. Longer transactions are aborted. */
export const SEEN_AGAIN_MS = 60_000;
const recently = sql<string>`now() - ${milliseconds(SEEN_AGAIN_MS)}`;

/** The most rows of a kind that are followed. Longer lists are read in pages. */
const MAX_ROWS = 2_000;

/** An item's current state. A session keeps its row: its texts are visible to some viewers only. So does a request. */
export type LiveChange =
  | { type: "device"; device: Device; at: string }
  | { type: "session"; session: SessionRow & Pick<SessionOnDevice, "device_owner_id">; at: string }
  | { type: "request"; request: RequestRow; at: string }
  | { type: "workspace"; workspace: Workspace }
  | { type: "workspace_gone"; id: string }
  | { type: "review"; changeId: string; at: string }
  | Extract<OrganizationEvent, { type: "change" }>
  | { type: "projects_changed" }
  | { type: "organization_changed" };

/** `fingerprint` changes when a visible field does. */
export interface Found {
  key: string;
  fingerprint: string;
  change: LiveChange;
}

type Read = (db: Kysely<Database>, organizationId: string) => Promise<Found[]>;

/** Reads everything in an organization that is live or changed recently. */
export const readState: Read = async (db, organizationId) => {
  const found: Found[] = [];
  // Sequential: no request waits for this, and requests need the connections.
  for (const read of [
    readDevices,
    readSessions,
    readRequests,
    readWorkspaces,
    readGone,
    readReviews,
    readChanges,
    readProjects,
    readAudit,
  ])
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
    .where(changedSince(recently))
    .orderBy("created_at", "desc")
    .limit(MAX_ROWS)
    .execute();
  return rows.map(({ at, ...row }) => {
    const device = toDevice(row);
    // Left out, since it changes with each heartbeat.
    const { lastSeenAt: _, ...seen } = device;
    return {
      key: `device ${device.id}`,
      fingerprint: JSON.stringify(seen),
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
    .where((eb) =>
      eb.or([eb("status", "=", "running"), eb("ended_at", ">", recently), eb("renamed_at", ">", recently)]),
    )
    .orderBy("created_at", "desc")
    .limit(MAX_ROWS)
    .execute();
  return rows.map(({ at, ...session }) => ({
    key: `session ${session.id}`,
    fingerprint: JSON.stringify(toAgentSession(session, true)),
    change: { type: "session", session, at },
  }));
};

const readRequests: Read = async (db, organizationId) => {
  const rows = await requestsIn(db, organizationId)
    .select(sql<string>`now()`.as("at"))
    .where((eb) =>
      eb.or([eb("agent_requests.status", "=", "open"), eb("agent_requests.settled_at", ">", recently)]),
    )
    .orderBy("agent_requests.created_at", "desc")
    .limit(MAX_ROWS)
    .execute();
  return rows.map(({ at, ...request }) => ({
    key: `request ${request.id}`,
    fingerprint: `${request.status} ${request.delivery} ${request.is_answerable} ${JSON.stringify(request.snoozes)}`,
    change: { type: "request", request, at },
  }));
};

const readWorkspaces: Read = async (db, organizationId) => {
  const rows = await db
    .selectFrom("workspaces")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("updated_at", ">", recently)
    .orderBy("updated_at", "desc")
    .limit(MAX_ROWS)
    .execute();
  return rows.map((row) => ({
    key: `workspace ${row.id}`,
    fingerprint: `${row.updated_at} ${row.device_id}`,
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
    .limit(MAX_ROWS)
    .execute();
  return rows.map(({ id }) => ({
    key: `gone ${id}`,
    fingerprint: "",
    change: { type: "workspace_gone", id },
  }));
};

/**
 * Reports changes whose review comments were edited, sent, answered or resolved. Clients that may read those list them
 * again.
 */
const readReviews: Read = async (db, organizationId) => {
  const rows = await db
    .selectFrom("review_comments")
    .select("change_id")
    .select(({ fn }) => fn.max("updated_at").as("newest"))
    .select(sql<string>`now()`.as("at"))
    .where("organization_id", "=", organizationId)
    .where("updated_at", ">", recently)
    .groupBy("change_id")
    .limit(MAX_ROWS)
    .execute();
  return rows.map(({ change_id: changeId, newest, at }) => ({
    key: `review ${changeId}`,
    fingerprint: newest,
    change: { type: "review", changeId, at },
  }));
};

/** Reports the state of changes that were updated, or that agents work on. */
const readChanges: Read = async (db, organizationId) => {
  const withAgent = sql<string>`any(array(
    select workspace_id from agent_sessions
    where organization_id = ${organizationId} and (status = 'running' or ended_at > ${recently})))`;
  const rows = await db
    .selectFrom("changes")
    .leftJoin("tasks", (join) =>
      join
        .onRef("tasks.organization_id", "=", "changes.organization_id")
        .onRef("tasks.id", "=", "changes.task_id"),
    )
    .select(["changes.id", "changes.updated_at", "changes.task_id"])
    .select([workState.as("work_state"), changeState.as("task_state"), sql<string>`now()`.as("at")])
    .where("changes.organization_id", "=", organizationId)
    .where((eb) =>
      eb.or([eb("changes.updated_at", ">", recently), eb("changes.workspace_id", "=", withAgent)]),
    )
    .orderBy("changes.updated_at", "desc")
    .limit(MAX_ROWS)
    .execute();
  return rows.map(({ id: changeId, updated_at, task_id: taskId, work_state, task_state, at }) => ({
    key: `change ${changeId}`,
    fingerprint: `${updated_at} ${work_state} ${task_state}`,
    change: { type: "change", changeId, workState: work_state, taskId, taskState: task_state, at },
  }));
};

/** Reports any change of projects as one, since they are few and rarely change. */
const readProjects: Read = async (db, organizationId) => {
  const { count, newest } = await db
    .selectFrom("projects")
    .select((eb) => [eb.fn.countAll<string>().as("count"), eb.fn.max("updated_at").as("newest")])
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return [{ key: "projects", fingerprint: `${count} ${newest}`, change: { type: "projects_changed" } }];
};

/** Reads the newest audit event: each change of members, invitations and keys writes one. */
const readAudit: Read = async (db, organizationId) => {
  const newest = await db
    .selectFrom("audit_events")
    .select("id")
    .where("organization_id", "=", organizationId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return [{ key: "audit", fingerprint: newest?.id ?? "", change: { type: "organization_changed" } }];
};
