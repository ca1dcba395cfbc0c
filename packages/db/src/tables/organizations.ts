import type { ApiKeyScope, Role } from "@grove/schemas";
import type { GeneratedAlways } from "kysely";
import type { DefaultNow, Json, NullableTimestamp, Timestamp } from "./columns";

export interface OrganizationTable {
  id: string;
  name: string;
  slug: string;
  image: string | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface MembershipTable {
  organization_id: string;
  user_id: string;
  role: Role;
  created_at: DefaultNow;
}

export interface InvitationTable {
  id: string;
  organization_id: string;
  /** Lower-cased. */
  email: string;
  role: Exclude<Role, "owner">;
  /** SHA-256 of the token, in hex. */
  token_hash: string;
  /** The hash of the token that only the mail holds; null if none was mailed. */
  mailed_token_hash: string | null;
  invited_by: string | null;
  created_at: DefaultNow;
  expires_at: Timestamp;
  accepted_at: NullableTimestamp;
  revoked_at: NullableTimestamp;
}

export interface ApiKeyTable {
  id: string;
  organization_id: string;
  user_id: string;
  name: string;
  prefix: string;
  key_hash: string;
  scopes: ApiKeyScope[];
  expires_at: NullableTimestamp;
  last_used_at: NullableTimestamp;
  revoked_at: NullableTimestamp;
  created_at: DefaultNow;
}

export interface AuditEventTable {
  id: string;
  organization_id: string;
  actor_id: string | null;
  actor_kind: "user" | "api_key" | "device" | "system";
  action: string;
  target_type: string;
  target_id: string;
  metadata: Json<Record<string, unknown>>;
  created_at: DefaultNow;
}

export interface OrganizationEventCounterTable {
  organization_id: string;
  /** A bigint: the sequence of the organization's newest event. */
  last_sequence: string;
}

/** The events of an organization, in the order of commits; kept for 7 days. */
export interface OrganizationEventTable {
  organization_id: string;
  sequence: string;
  /** `task`, `chat:<session id>`, … */
  topic: string;
  payload: Json<{ type: string }>;
  /** The length of `payload` as text. */
  payload_bytes: GeneratedAlways<number>;
  created_at: DefaultNow;
}
