import type { ActivityActorKind, TaskActivity, TaskPriority, TaskStatusType } from "@grove/schemas";
import type { ColumnType } from "kysely";
import type { DefaultNow, NullableJson, NullableTimestamp } from "./columns";

export interface TaskStatusTable {
  organization_id: string;
  key: string;
  name: string;
  type: TaskStatusType;
  color: string;
  /** The status's position, from 0 on without gaps. */
  position: number;
}

export interface TaskTable {
  id: string;
  organization_id: string;
  slug: string;
  title: string;
  description: string | null;
  /** Title and description, folded; the text that a search reads. */
  search_text: string;
  /** The characters and bigrams of search_text, and organization_id. Computed by the database. */
  search_bigrams: ColumnType<string, never, never> | null;
  /** A key of task_statuses. */
  status: string;
  priority: TaskPriority;
  assignee_id: string | null;
  creator_id: string | null;
  project_id: string | null;
  labels: string[];
  /** A calendar day: `2026-11-21`. */
  due_date: string | null;
  estimate: number | null;
  branch: string | null;
  pr_url: string | null;
  external_url: string | null;
  started_at: NullableTimestamp;
  completed_at: NullableTimestamp;
  /** The principal that created it with an idempotency key, the key, and its hash; null once the key is free again. */
  idempotency_principal: string | null;
  idempotency_key: string | null;
  idempotency_hash: string | null;
  /** The rank in the organization's order. Null until the task is moved; its id is the rank then. */
  rank: string | null;
  /** Set for a deleted task, whose row is kept for 30 days. */
  deleted_at: NullableTimestamp;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface TaskActivityTable {
  id: string;
  organization_id: string;
  task_id: string;
  kind: TaskActivity["kind"];
  actor_kind: ActivityActorKind;
  actor_id: string | null;
  /** Null for changes. */
  body: string | null;
  /** Null for a comment. */
  changes: NullableJson<NonNullable<TaskActivity["changes"]>>;
  created_at: DefaultNow;
  edited_at: NullableTimestamp;
}
