import type { CommandError, CommandStatus, OfflineReason, Platform } from "@grove/schemas";
import type { Generated } from "kysely";
import type { DefaultNow, Json, NullableJson, NullableTimestamp, Timestamp } from "./columns";

export interface DeviceTable {
  id: string;
  organization_id: string;
  owner_id: string;
  name: string;
  platform: Platform;
  shared: Generated<boolean>;
  /** The API key that registered it; null for a session. */
  registered_by_key: string | null;
  /** Whether all its sessions get project secrets, including a session that another member starts. */
  secrets_allowed: Generated<boolean>;
  /** The ssh host name, for editors; null if its owner has set none. */
  ssh_host: string | null;
  key_prefix: string;
  key_hash: string;
  agent_version: string | null;
  capabilities: Generated<string[]>;
  /** The journal that connected last. */
  journal_id: string | null;
  /** The journal it had before this one, and when that changed. */
  previous_journal_id: string | null;
  journal_changed_at: NullableTimestamp;
  /** Raised by each connect; a write with an older epoch changes nothing. */
  epoch: Generated<number>;
  /**
   * The instance (`api_instances`) that has the newest stream; null if the stream has ended. Its row may be deleted.
   */
  instance_id: string | null;
  /**
   * The epoch of the newest stream that has answered a heartbeat: while that is `epoch`, the instance's lease counts.
   */
  present_epoch: number | null;
  /**
   * Otherwise the device is online until this time: between two streams, or after an answer to another instance than
   * its stream's.
   */
  present_until: NullableTimestamp;
  /** When it connected, disconnected, or answered a heartbeat to another instance than its stream's. */
  last_seen_at: NullableTimestamp;
  /** Why the last stream ended, if that is known. */
  offline_reason: OfflineReason | null;
  revoked_at: NullableTimestamp;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

/** A machine's pairing request, or a registration that waits for its machine. Deleted when it is used. */
export interface DevicePairingTable {
  /** SHA-256 of the machine's secret, in hex. */
  secret_hash: string;
  /** SHA-256 of the code that a person compares, in hex; null for a registration. */
  code_hash: string | null;
  name: string | null;
  platform: Platform | null;
  agent_version: string | null;
  ip: string | null;
  /** Null until a member approves the pairing, like the next column and `device_id`. */
  organization_id: string | null;
  approved_by: string | null;
  shared: Generated<boolean>;
  secrets_allowed: Generated<boolean>;
  /** The id that the device will have. */
  device_id: string | null;
  created_at: DefaultNow;
  expires_at: Timestamp;
}

/**
 * The command that an idempotency key identifies. Triggers of `device_commands` maintain it, and so keep each key
 * unique: a unique index of a partitioned table is unique within each partition only.
 */
export interface CommandKeyTable {
  organization_id: string;
  principal: string;
  key: string;
  command_id: string;
  created_at: DefaultNow;
}

export interface DeviceCommandTable {
  id: string;
  organization_id: string;
  device_id: string;
  tool: string;
  params: Json<Record<string, unknown>>;
  status: Generated<CommandStatus>;
  result: NullableJson<NonNullable<unknown>>;
  error: NullableJson<CommandError>;
  late_result: NullableJson<NonNullable<unknown>>;
  /** When the two results were deleted, while the command stayed. */
  result_removed_at: NullableTimestamp;
  progress: NullableJson<{ message: string; fraction: number | null; at: string }>;
  requested_by: string | null;
  /** `session:<user id>` or `api_key:<key id>`: whose idempotency keys these are. */
  principal: string;
  /**
   * The trigger `take_key` inserts the key into `command_keys`, or drops the new row if the key is taken. Setting it to
   * null frees the key (`free_key`). Both are in the migration `0004_devices`.
   */
  idempotency_key: string | null;
  /** SHA-256 of the input: device, tool, params. */
  idempotency_hash: string | null;
  attempt: Generated<number>;
  /** The journal that claimed it: the fence. */
  journal_id: string | null;
  timeout_ms: number;
  queue_expires_at: Timestamp;
  cancel_requested_at: NullableTimestamp;
  /** W3C's traceparent of the span that submitted it; null unless that process traces. */
  trace_parent: string | null;
  created_at: DefaultNow;
  claimed_at: NullableTimestamp;
  started_at: NullableTimestamp;
  finished_at: NullableTimestamp;
}
