import type {
  Anchor,
  CommentAnswerState,
  ReviewCommentState,
  ReviewRoundKind,
  ReviewRoundStatus,
} from "@grove/schemas";
import type { Generated } from "kysely";
import type { DefaultNow, Json, NullableTimestamp } from "./columns";

/** A round of review comments, or the failed checks of a commit, given to an agent. */
export interface ReviewRoundTable {
  id: string;
  organization_id: string;
  change_id: string;
  number: number;
  kind: Generated<ReviewRoundKind>;
  /** The commit whose checks failed; null for review comments. */
  head: string | null;
  /** A hash of the failure. */
  fingerprint: string | null;
  /** Null for failed checks, and once the account was deleted. */
  sent_by: string | null;
  session_id: string;
  command_id: string;
  /** The status when the command was last read. */
  status: Generated<ReviewRoundStatus>;
  reason: string | null;
  created_at: DefaultNow;
}

/** A person's comment on a change, a file or lines of it. */
export interface ReviewCommentTable {
  id: string;
  organization_id: string;
  change_id: string;
  /** Null once the account was deleted. */
  author_id: string | null;
  body: string;
  anchor: Json<Anchor>;
  state: Generated<ReviewCommentState>;
  /** The newest round; null for a draft. */
  round_id: string | null;
  /** The newest answer of an agent. */
  answer_state: CommentAnswerState | null;
  answer_commit: string | null;
  answer_body: string | null;
  answered_at: NullableTimestamp;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

/** The version of a change that a person has seen last. */
export interface ReviewMarkTable {
  organization_id: string;
  change_id: string;
  user_id: string;
  /** The commit of a restore point on the change's device. */
  point: string;
  marked_at: DefaultNow;
}
