import type {
  NotificationChannel,
  NotificationDelivery,
  NotificationKind,
  NotificationScope,
  NotificationState,
} from "@grove/schemas";
import type { Generated } from "kysely";
import type { DefaultNow, NullableTimestamp, Timestamp } from "./columns";

/** The one key pair by which push services recognize this service. */
export interface PushKeyTable {
  id: Generated<boolean>;
  public_key: string;
  /** The private key. */
  sealed: string;
  created_at: DefaultNow;
}

/** A browser that shows a user's push notifications. */
export interface PushSubscriptionTable {
  id: string;
  user_id: string;
  /** The session that subscribed it, and ends it. */
  session_id: string;
  /** SHA-256 of the endpoint, in hex. */
  endpoint_hash: string;
  /** The endpoint, and the browser's keys. */
  sealed: string;
  label: string;
  created_at: DefaultNow;
  last_used_at: DefaultNow;
}

/** When and where a member is notified, and about which events. */
export interface NotificationRuleTable {
  organization_id: string;
  id: string;
  user_id: string;
  channel: NotificationChannel;
  /** The target. Null for pushes, which go to the user's subscriptions. */
  sealed: string | null;
  /** The part of the target that is shown. */
  target: string | null;
  kinds: NotificationKind[];
  scope: NotificationScope;
  project_ids: Generated<string[]>;
  /** `HH:MM:SS` in `time_zone`. */
  quiet_from: string | null;
  quiet_to: string | null;
  time_zone: string;
  after_seconds: Generated<number>;
  show_text: Generated<boolean>;
  created_at: DefaultNow;
}

/** A notification to send, or one of the last days. */
export interface NotificationOutboxTable {
  organization_id: string;
  id: string;
  user_id: string;
  rule_id: string;
  channel: NotificationChannel;
  kind: NotificationDelivery["kind"];
  session_id: string | null;
  request_id: string | null;
  /** For the kinds `merged` and `blocked`. */
  merge_intent_id: string | null;
  /** Names its subject and its rule: stored once. */
  dedupe: string;
  delivery_state: Generated<NotificationState>;
  not_before: DefaultNow;
  leased_until: NullableTimestamp;
  attempts: Generated<number>;
  error: string | null;
  created_at: DefaultNow;
  /** When it was last tried. */
  sent_at: NullableTimestamp;
}

/** A user whose console is in view, and until when this is assumed. */
export interface UserPresenceTable {
  user_id: string;
  until: Timestamp;
}
