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

/** A read includes all rows that changed within this time before it. Longer transactions are aborted. */
export const RECENT_CHANGE_MS = 60_000;
const recently = sql<string>`now() - ${milliseconds(RECENT_CHANGE_MS)}`;

/** The most rows of a kind that are watched. Clients read longer lists in pages. */
const MAX_ROWS = 2_000;

/**
 * An item's current state. Sessions and requests are rows, since some of their texts are visible to some viewers only.
 */
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

/** An item of the state. `fingerprint` changes when a visible field changes. */
export interface StateEntry {
  key: string;
  fingerprint: string;
  change: LiveChange;
}

type ReadEntries = (db: Kysely<Database>, organizationId: string) => Promise<StateEntry[]>;

/** Reads everything in an organization that is live or changed recently. */
export const readState: ReadEntries = async (db, organizationId) => {
  const entries: StateEntry[] = [];
  // Sequential, since no request waits for this, and requests need the connections.
  for (const read of [
    readDevices,
    readSessions,
    readRequests,
    readWorkspaces,
    readDeletedWorkspaces,
    readReviews,
    readChanges,
    readProjects,
    readAudit,
  ])
    entries.push(...(await read(db, organizationId)));
  return entries;
};

/** The devices that were online or changed within the last minute. */
const readDevices: ReadEntries = async (db, organizationId) => {
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
    // `lastSeenAt` is left out, since it changes with each heartbeat.
    const { lastSeenAt: _, ...visible } = device;
    return {
      key: `device ${device.id}`,
      fingerprint: JSON.stringify(visible),
      change: { type: "device", device, at },
    };
  });
};

const readSessions: ReadEntries = async (db, organizationId) => {
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

const readRequests: ReadEntries = async (db, organizationId) => {
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

const readWorkspaces: ReadEntries = async (db, organizationId) => {
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

const readDeletedWorkspaces: ReadEntries = async (db, organizationId) => {
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
const readReviews: ReadEntries = async (db, organizationId) => {
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
const readChanges: ReadEntries = async (db, organizationId) => {
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

/** Reports all changes of projects as one item, since projects are few and rarely change. */
const readProjects: ReadEntries = async (db, organizationId) => {
  const { count, newest } = await db
    .selectFrom("projects")
    .select((eb) => [eb.fn.countAll<string>().as("count"), eb.fn.max("updated_at").as("newest")])
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return [{ key: "projects", fingerprint: `${count} ${newest}`, change: { type: "projects_changed" } }];
};

/** Reads the newest audit event. Each change of members, invitations and keys writes an audit event. */
const readAudit: ReadEntries = async (db, organizationId) => {
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
