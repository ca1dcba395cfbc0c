import { sql } from "kysely";

/* SQL about a `rule`, the `member` who made it, a `session`, its `device`, its `task` and its `workspace`. */

/** Whether the member may read what the session prints; as `mayReadOutput`. */
export const readsOutput = sql<boolean>`(member.role in ('admin', 'owner') or rule.user_id = device.owner_id
  or coalesce(rule.user_id = session.started_by, false))`;

/** Whether the rule is about the session, and the member may know of it. */
export const isRecipient = sql<boolean>`case rule.scope
  when 'mine' then coalesce(rule.user_id = session.started_by, false) or coalesce(rule.user_id = task.assignee_id, false)
  when 'projects' then ${readsOutput} and coalesce(workspace.project_id = any(rule.project_ids), false)
  else ${readsOutput} end`;

/** Joins to the session. */
export const joinsOfSession = sql`
  join devices as device on device.organization_id = session.organization_id and device.id = session.device_id
  left join workspaces as workspace
    on workspace.organization_id = session.organization_id and workspace.id = session.workspace_id
  left join tasks as task on task.organization_id = session.organization_id and task.id = session.task_id`;
