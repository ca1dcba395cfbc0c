import { sql } from "kysely";

/* SQL about a `rule`, the `member` who created it, a `session`, and the session's `device`, `task` and `workspace`. */

/** Whether the member may read the session's output. Same rule as `mayReadOutput`. */
export const canReadOutput = sql<boolean>`(member.role in ('admin', 'owner') or rule.user_id = device.owner_id
  or coalesce(rule.user_id = session.started_by, false))`;

/** Whether the rule applies to the session, and the member may know about the session. */
export const isRecipient = sql<boolean>`case rule.scope
  when 'mine' then coalesce(rule.user_id = session.started_by, false) or coalesce(rule.user_id = task.assignee_id, false)
  when 'projects' then ${canReadOutput} and coalesce(workspace.project_id = any(rule.project_ids), false)
  else ${canReadOutput} end`;

/** The joins of a session that the conditions above need. */
export const joinsOfSession = sql`
  join devices as device on device.organization_id = session.organization_id and device.id = session.device_id
  left join workspaces as workspace
    on workspace.organization_id = session.organization_id and workspace.id = session.workspace_id
  left join tasks as task on task.organization_id = session.organization_id and task.id = session.task_id`;
