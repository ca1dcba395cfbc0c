import type {
  ChecksSummary,
  GateSkipped,
  GateState,
  HeldReason,
  MergeEndReason,
  MergeIntent,
  MergeMethod,
  PullState,
  PullStatus,
} from "@grove/schemas";
import type { Generated } from "kysely";
import type { DefaultNow, NullableTimestamp, Timestamp } from "./columns";

/** A branch of a project that a workspace was made for. */
export interface ChangeTable {
  id: string;
  organization_id: string;
  project_id: string;
  /** The first task that an agent worked on there. */
  task_id: string | null;
  /** Null once the workspace was deleted. */
  workspace_id: string | null;
  device_id: string | null;
  branch: string;
  base_branch: string | null;
  /** The commit where the branch began; null if the device has not reported it. */
  fork_commit: string | null;
  /** When an agent reported its work as finished, with its summary and tests. */
  finished_at: NullableTimestamp;
  summary: string | null;
  tests: Generated<string[]>;
  /** The command of the gate's last run, while it runs or once it has passed or failed; see `gateCommands.ts`. */
  gate_command_id: string | null;
  gate_state: GateState | null;
  /** The commit that was checked; null while it runs, and for uncommitted work. */
  gate_head: string | null;
  /** When it began, or ended. */
  gate_at: NullableTimestamp;
  /** Whether it was started because an agent finished. */
  gate_is_automatic: Generated<boolean>;
  /** Why the gate did not run when an agent finished. */
  gate_skipped: GateSkipped | null;
  /** Why the failure of an automatic run was left to a person. */
  gate_held_reason: HeldReason | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

/** A pull request, as the newest delivery describes it. */
export interface PullRequestTable {
  id: string;
  organization_id: string;
  repository_id: string;
  number: number;
  /** Null for a pull request of another branch, and after its change was deleted. */
  change_id: string | null;
  /** Null if the provider's address is not a valid link. */
  url: string | null;
  state: PullState;
  /** Null for the branch of a fork. */
  head: string | null;
  base: string;
  /** Its newest commit when `checks`, `mergeable`, `has_conflicts` and `is_queued` were read; null until then. */
  checked_head: string | null;
  checks: ChecksSummary | null;
  mergeable: PullStatus["mergeable"] | null;
  has_conflicts: Generated<boolean>;
  /** Whether it is in the code host's merge queue. */
  is_queued: Generated<boolean>;
  /** The last commit whose failed checks were held back from agents, for a person to fix, and why. */
  held_checks_head: string | null;
  held_checks_reason: HeldReason | null;
  /** The provider's time. */
  updated_at: Timestamp;
  merged_at: NullableTimestamp;
  /** When its commits reached one of the project's done branches, perhaps with a later pull request. */
  done_at: NullableTimestamp;
  /** When the state of an open pull request is next read from the code host. */
  poll_at: DefaultNow;
  /** When a delivery last reported checks that no read has included yet. */
  checks_reported_at: NullableTimestamp;
  created_at: DefaultNow;
}

/** A person's approval of one commit. A later one replaces it. */
export interface ApprovalTable {
  organization_id: string;
  change_id: string;
  user_id: string;
  /** The commit. */
  head: string;
  /** The branch that it may be merged into. */
  base: string;
  created_at: DefaultNow;
}

/** A person's request to merge one approved commit once its checks have passed. */
export interface MergeIntentTable {
  id: string;
  organization_id: string;
  change_id: string;
  /** The number of the pull request. */
  number: number;
  head: string;
  base: string;
  method: MergeMethod;
  requested_by: string;
  status: Generated<MergeIntent["status"]>;
  /** Why it ended without a merge. */
  reason: MergeEndReason | null;
  /** The code host's own word for the reason, or the names of checks. */
  detail: string | null;
  /** Until then one process merges. After that, the pull request is read again. */
  leased_until: NullableTimestamp;
  /** When it was added to the code host's merge queue. */
  queued_at: NullableTimestamp;
  created_at: DefaultNow;
  expires_at: Timestamp;
  ended_at: NullableTimestamp;
}
