import { isStillMember } from "@grove/auth";
import type { Database } from "@grove/db";
import type { ActivityState } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { ChangeKey } from "../../changes/row";

/** An agent that can take a prompt, and the user who started it. */
export interface Agent {
  sessionId: string;
  deviceId: string;
  userId: string;
}

interface Candidate {
  id: string;
  device_id: string;
  started_by: string | null;
  activity: ActivityState;
  /** Whether the user who started it may still use its device. */
  is_permitted: boolean;
}

const busy: readonly ActivityState[] = ["working", "needs_permission", "needs_answer"];

/**
 * Finds the agent in the workspace of a change that has nothing to do. Only agents that report their turns count: of
 * others it is only guessed from the screen.
 * @returns `busy` if an agent works or waits for an answer there
 */
export async function findAgent(
  db: Kysely<Database>,
  { organizationId, changeId }: ChangeKey,
): Promise<Agent | "busy" | "no_agent" | "not_permitted"> {
  const { rows } = await sql<Candidate>`
    select session.id, session.device_id, session.started_by, session.activity,
      session.started_by is not null and (device.shared or device.owner_id = session.started_by)
        and ${isStillMember(sql`session.organization_id`, sql`session.started_by`)} as is_permitted
    from changes as change
    join agent_sessions as session
      on session.organization_id = change.organization_id and session.workspace_id = change.workspace_id
    join devices as device
      on device.organization_id = session.organization_id and device.id = session.device_id
    where change.organization_id = ${organizationId} and change.id = ${changeId}
      and session.status = 'running' and session.activity_source in ('hook', 'record')
    order by session.activity_since desc`.execute(db);
  if (rows.some(({ activity }) => busy.includes(activity))) return "busy";
  const ready = rows.filter(({ activity }) => activity === "done" || activity === "idle");
  const permitted = ready.find(({ is_permitted }) => is_permitted);
  if (!permitted?.started_by) return ready.length > 0 ? "not_permitted" : "no_agent";
  return { sessionId: permitted.id, deviceId: permitted.device_id, userId: permitted.started_by };
}
