import type { AgentSessionStatus, CommandError } from "@grove/schemas";
import type { Generated } from "kysely";
import type { DefaultNow, Json, NullableTimestamp } from "./columns";

export interface AgentSessionTable {
  organization_id: string;
  /** Chosen by the device; unique in the organization. */
  id: string;
  device_id: string;
  workspace_id: string | null;
  task_id: string | null;
  agent: string;
  status: Generated<AgentSessionStatus>;
  exit_code: number | null;
  /** The device's journal that it began under. */
  journal_id: string | null;
  waiting_for_input: Generated<boolean>;
  /** The last lines on its screen. Valid only while the session waits for input. */
  asks: string | null;
  /** The number of the screen with those lines. */
  screen: number | null;
  /** Why it failed. */
  error: Json<CommandError> | null;
  started_by: string | null;
  /** The terminal's size. */
  columns: Generated<number>;
  rows: Generated<number>;
  /** The sequence of the newest output chunk. */
  last_sequence: Generated<number>;
  /** All output so far, including what has been deleted. */
  output_bytes: Generated<string>;
  /** Until this time the output has viewers, so chunks are announced. */
  watched_until: NullableTimestamp;
  created_at: DefaultNow;
  ended_at: NullableTimestamp;
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
