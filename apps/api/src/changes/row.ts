import type { ChangeTable, Database, PullRequestTable } from "@grove/db";
import type { Change, WorkState } from "@grove/schemas";
import { type Kysely, type Selectable, sql } from "kysely";
import { workState } from "../lib/workState";

export interface ChangeKey {
  organizationId: string;
  changeId: string;
}

interface ChangeRow extends Selectable<ChangeTable> {
  number: PullRequestTable["number"] | null;
  url: string | null;
  state: PullRequestTable["state"] | null;
  base: string | null;
  done_at: string | null;
  work_state: WorkState;
}

/** Selects changes, each with its newest pull request. */
export const selectChanges = (db: Kysely<Database>, organizationId: string) =>
  db
    .selectFrom("changes")
    .leftJoin("pull_requests", (join) =>
      join
        .onRef("pull_requests.organization_id", "=", "changes.organization_id")
        .onRef("pull_requests.change_id", "=", "changes.id")
        .on(
          "pull_requests.number",
          "=",
          sql<number>`(select max(number) from pull_requests as pull
            where pull.organization_id = changes.organization_id and pull.change_id = changes.id)`,
        ),
    )
    .selectAll("changes")
    .select(["pull_requests.number", "pull_requests.url", "pull_requests.state", "pull_requests.base"])
    .select(["pull_requests.done_at", workState.as("work_state")])
    .where("changes.organization_id", "=", organizationId);

/** Converts a change's row to the form that the API returns. */
export const toChange = (row: ChangeRow): Change => ({
  id: row.id,
  organizationId: row.organization_id,
  projectId: row.project_id,
  taskId: row.task_id,
  workspaceId: row.workspace_id,
  deviceId: row.device_id,
  branch: row.branch,
  baseBranch: row.base_branch,
  forkCommit: row.fork_commit,
  pullRequest:
    row.number === null || row.state === null || row.base === null
      ? null
      : { number: row.number, url: row.url, state: row.state, base: row.base, doneAt: row.done_at },
  workState: row.work_state,
  gate: toGate(row),
  gateSkipped: row.finished_at === null ? null : row.gate_skipped,
  finishedAt: row.finished_at,
  summary: row.summary,
  tests: row.tests,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toGate = ({
  gate_command_id: commandId,
  gate_state: state,
  gate_head: head,
  gate_at: at,
  gate_held_reason: heldReason,
}: ChangeRow): Change["gate"] =>
  commandId === null || state === null || at === null ? null : { commandId, state, head, at, heldReason };
