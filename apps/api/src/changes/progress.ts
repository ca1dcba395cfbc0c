import type { Database } from "@grove/db";
import { sql, type Transaction } from "kysely";

export interface Progress {
  taskId: string;
  /** Whether a change is neither done nor closed. */
  isPending: boolean;
  /** Whether a change is done. */
  isDone: boolean;
}

/**
 * Reads whether the changes of tasks are done or pending. A change is done if its pull request reached a done branch,
 * unless another one into the same branch was opened since. It is closed if all of its pull requests were closed
 * without a merge, or if it has none and its workspace was deleted. Changes of one branch count as one, since the
 * branch may be checked out on several machines.
 */
export async function progressOf(
  trx: Transaction<Database>,
  organizationId: string,
  taskIds: string[],
): Promise<Progress[]> {
  const { rows } = await sql<{ task_id: string; pending: boolean; done: boolean }>`
    with branches as (
      select task_id, project_id, branch, array_agg(id) as changes, bool_or(workspace_id is not null) as has_workspace
      from changes
      where organization_id = ${organizationId} and task_id = any(${taskIds}::uuid[])
      group by task_id, project_id, branch),
    states as (
      select task_id, has_workspace, pulls.count, coalesce(pulls.all_closed, false) as all_closed,
        exists (
          select from pull_requests as done
          where done.organization_id = ${organizationId} and done.change_id = any(changes)
            and done.done_at is not null and not exists (
              select from pull_requests as next
              where next.organization_id = ${organizationId} and next.change_id = any(changes)
                and next.state in ('open', 'draft') and next.base = done.base and next.number > done.number)
        ) as is_done
      from branches cross join lateral (
        select count(*), bool_and(state = 'closed') as all_closed from pull_requests
        where organization_id = ${organizationId} and change_id = any(changes)) as pulls)
    select task_id, bool_or(is_done) as done,
      bool_or(not is_done and not all_closed and (has_workspace or count > 0)) as pending
    from states group by task_id`.execute(trx);
  return taskIds.map((taskId) => {
    const row = rows.find(({ task_id }) => task_id === taskId);
    return { taskId, isPending: row?.pending ?? false, isDone: row?.done ?? false };
  });
}
