import { at, id, organization, type SampleTable, text, user } from "./values";

/** Notification rules, and what they send. */
export const notifications: Record<string, SampleTable> = {
  push_keys: { share: 0, columns: "public_key, sealed", select: "'k', '1.c2VhbGVk'" },
  push_subscriptions: {
    share: 0,
    columns: "id, user_id, session_id, endpoint_hash, sealed, label",
    select: `${id("'push' || n")}, ${user("n")}, ${id("'session' || n")}, 'h' || n, '1.c2VhbGVk', ${text("n")}`,
  },
  notification_rules: {
    share: 0,
    columns:
      "organization_id, id, user_id, channel, sealed, target, kinds, scope, project_ids, quiet_from, quiet_to, time_zone",
    select: `${organization("n")}, ${id("'rule' || n % 3")}, ${user("n")}, 'ntfy', '1.c2VhbGVk', 'ntfy.sh', '{needs_input,done}', 'projects', array[${id("'project' || n % 3")}], '22:30', '07:00:01.5', 'Europe/Vienna'`,
  },
  notification_outbox: {
    share: 0,
    columns:
      "organization_id, id, user_id, rule_id, channel, kind, session_id, request_id, merge_intent_id, dedupe, delivery_state, created_at",
    select: `${organization("n")}, ${id("'notification' || n")}, ${user("n")}, ${id("'rule' || n % 3")}, 'ntfy', 'needs_input', ${id("'agent' || n % 3")}, ${id("'request' || n")}, ${id("'intent' || n")}, 'd' || n, 'sent', ${at("n")}`,
  },
  user_presence: { share: 0, columns: "user_id, until", select: `${user("n")}, ${at("n")}` },
};
