import type {
  ActivitySource,
  ActivityState,
  AgentAnswer,
  AgentQuestion,
  AgentRequestKind,
  AgentRequestStatus,
  AgentSessionStatus,
  AllowScope,
  CommandError,
} from "@grove/schemas";
import type { Generated } from "kysely";
import type { DefaultNow, Json, NullableJson, NullableTimestamp, Timestamp } from "./columns";

export interface AgentSessionTable {
  organization_id: string;
  /** Chosen by the device; unique in the organization. */
  id: string;
  device_id: string;
  workspace_id: string | null;
  task_id: string | null;
  agent: string;
  /** The task's title or the first line of the prompt, until a user renames the session. */
  name: string | null;
  status: Generated<AgentSessionStatus>;
  exit_code: number | null;
  /** The device's journal that it began under. */
  journal_id: string | null;
  waiting_for_input: Generated<boolean>;
  /** The last lines on the session's screen. Valid only while the session waits for input. */
  question_text: string | null;
  /** The number of the screen with those lines. */
  screen: number | null;
  /** Why it failed. */
  error: Json<CommandError> | null;
  started_by: string | null;
  /** The principal of the command that started it: `user:<id>` or `api_key:<id>`. */
  started_with: string | null;
  /** The terminal's size. */
  columns: Generated<number>;
  rows: Generated<number>;
  /** The sequence of the newest output chunk. */
  last_sequence: Generated<number>;
  /** All output so far, including what has been deleted. */
  output_bytes: Generated<string>;
  /** The last line with text. Ends with a line break, unless the next output continues it. */
  last_line: string | null;
  /** Until this time the output has viewers, so chunks are announced. */
  watched_until: NullableTimestamp;
  /** The state of the agent. Null for a plain terminal, and once the session has ended. */
  activity: ActivityState | null;
  activity_since: NullableTimestamp;
  activity_source: ActivitySource | null;
  activity_detail: string | null;
  /** The number of the report that set the activity. */
  activity_number: Generated<number>;
  limited_until: NullableTimestamp;
  created_at: DefaultNow;
  renamed_at: NullableTimestamp;
  ended_at: NullableTimestamp;
}

/** A question or a request for permission of an agent. */
export interface AgentRequestTable {
  organization_id: string;
  /** Chosen by the device; unique in the organization. */
  id: string;
  session_id: string;
  device_id: string;
  kind: AgentRequestKind;
  tool: string;
  title: string;
  /** The input of the tool. Null once the request was settled some minutes ago. */
  input: string | null;
  questions: NullableJson<AgentQuestion[]>;
  /** Whether the device can deliver an answer. */
  is_answerable: boolean;
  scopes: AllowScope[];
  /** When it was asked. */
  created_at: Timestamp;
  expires_at: Timestamp;
  status: Generated<AgentRequestStatus>;
  decision: AgentAnswer["decision"] | null;
  scope: AllowScope | null;
  answered_by: string | null;
  settled_at: NullableTimestamp;
  /** The command that delivers the answer. */
  command_id: string | null;
  /** A hash of the answer and its idempotency key. */
  answer_key: string | null;
}

/** Until when a member does not want to see a request. */
export interface RequestMarkTable {
  organization_id: string;
  request_id: string;
  user_id: string;
  until: Timestamp;
}

/** The last change of a session's activity that a member has seen. */
export interface SessionMarkTable {
  organization_id: string;
  session_id: string;
  user_id: string;
  /** The session's `activity_since` then. */
  seen: Timestamp;
}

/** The end of a session's output, in chunks. */
export interface AgentSessionOutputTable {
  organization_id: string;
  session_id: string;
  sequence: number;
  data: string;
  /** Where the chunk ends, counted from the session's first byte. */
  end_byte: string;
}
