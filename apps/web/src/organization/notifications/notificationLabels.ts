import type { NotificationChannel, NotificationDelivery, NotificationKind } from "@grove/schemas";

export const channelLabels: Readonly<Record<NotificationChannel, string>> = {
  push: "Push to my browsers",
  ntfy: "ntfy",
  webhook: "Webhook",
  messenger: "Messenger",
};

export const kindLabels: Readonly<Record<NotificationKind, string>> = {
  needs_input: "An agent needs input",
  done: "An agent is done",
  limited: "An agent reached a usage limit",
  failed: "An agent failed",
  merged: "A merge that you requested is done",
  blocked: "A merge that you requested failed",
  checks_failed: "Checks failed, and you must act",
};

export const deliveryLabels: Readonly<Record<NotificationDelivery["state"], string>> = {
  due: "Waiting",
  sending: "Sending",
  sent: "Sent",
  failed: "Failed",
  unknown: "Unknown",
  suppressed: "Not needed",
};
