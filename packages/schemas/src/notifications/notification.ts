import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { id, line, timestamp, timeZone, webUrl } from "../values";

/**
 * An event of an agent: it waits for a person (`needs_input`), ended its turn, reached a usage limit, or failed.
 * `checks_failed`: checks of its pull request, or its gate, failed, and a person must act. `merged`, `blocked`: a merge
 * that the user requested for later took place, or will not.
 */
export const notificationKind = z.enum([
  "needs_input",
  "done",
  "limited",
  "failed",
  "checks_failed",
  "merged",
  "blocked",
]);
export type NotificationKind = z.infer<typeof notificationKind>;

/** `push`: the browsers that the user has subscribed. `ntfy`, `webhook`: an HTTP POST. */
export const notificationChannel = z.enum(["push", "ntfy", "webhook", "messenger"]);
export type NotificationChannel = z.infer<typeof notificationChannel>;

/**
 * The sessions of a rule. `mine`: sessions that the user started, or whose task is assigned to the user. `projects`:
 * sessions in some projects. `all`: every session. The last two include only sessions whose output the user may read.
 */
export const notificationScope = z.enum(["mine", "projects", "all"]);
export type NotificationScope = z.infer<typeof notificationScope>;

/**
 * `unknown`: sent, but the response was lost; it is not sent again. `suppressed`: no longer needed or no longer
 * allowed.
 */
export const notificationState = z.enum(["due", "sending", "sent", "failed", "unknown", "suppressed"]);
export type NotificationState = z.infer<typeof notificationState>;

/** Limits that the console repeats. */
export const notificationLimits = {
  /** The most rules of a user in an organization. */
  rules: 20,
  /** The most browsers of a user. */
  subscriptions: 20,
  /** The longest wait before a notification. */
  afterSeconds: 3_600,
  /** Characters of a request's text in a notification. */
  textLength: 120,
} as const;

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 22:30");

const rule = {
  kinds: z.array(notificationKind).min(1).max(notificationKind.options.length),
  scope: notificationScope.default("mine"),
  /** For the scope `projects`. */
  projectIds: z.array(id).max(100).default([]),
  /** Quiet hours: notifications wait until they end. Given together, or not at all. */
  quietFrom: clock.nullable().default(null),
  quietTo: clock.nullable().default(null),
  /** The time zone of the quiet hours. */
  timeZone,
  /** How long to wait: by then, someone may have answered. */
  afterSeconds: z.number().int().min(0).max(notificationLimits.afterSeconds).default(0),
  /** Whether the notification contains the start of what the agent asks, which may be a command. */
  showText: z.boolean().default(false),
};

/** A rule with an id changes that one, and keeps its target if none is given. */
const givenRule = { id: id.optional(), ...rule };

export const notificationRuleInput = z
  .discriminatedUnion("channel", [
    z.strictObject({ channel: z.literal("push"), ...givenRule }),
    z.strictObject({
      channel: z.literal("ntfy"),
      target: z.strictObject({ url: webUrl }).optional(),
      ...givenRule,
    }),
    z.strictObject({
      channel: z.literal("webhook"),
      /** The secret signs each body: `x-grove-signature: sha256=<HMAC in hex>`. */
      target: z.strictObject({ url: webUrl, secret: line(200).min(16) }).optional(),
      ...givenRule,
    }),
    z.strictObject({
      channel: z.literal("messenger"),
      target: z.strictObject({ connectionId: id, channel: line(200) }).optional(),
      ...givenRule,
    }),
  ])
  .refine(({ quietFrom, quietTo }) => (quietFrom === null) === (quietTo === null), {
    path: ["quietTo"],
    error: "quietFrom and quietTo must be given together",
  })
  .refine(({ quietFrom, quietTo }) => quietFrom === null || quietFrom !== quietTo, {
    path: ["quietTo"],
    error: "must differ from quietFrom",
  });
export type NotificationRuleInput = z.output<typeof notificationRuleInput>;

/** A rule of the caller. Its target is secret, so only the host or the channel is returned. */
export const notificationRule = z.object({
  id,
  channel: notificationChannel,
  target: z.string().nullable(),
  kinds: z.array(notificationKind),
  scope: notificationScope,
  projectIds: z.array(id),
  quietFrom: z.string().nullable(),
  quietTo: z.string().nullable(),
  timeZone: z.string(),
  afterSeconds: z.number(),
  showText: z.boolean(),
});
export type NotificationRule = z.infer<typeof notificationRule>;

export const userListNotificationRulesInput = z.object({ ...organizationScope });
/** The given rules replace all others of the caller in this organization. */
export const userSetNotificationRulesInput = z.strictObject({
  ...organizationScope,
  rules: z.array(notificationRuleInput).max(notificationLimits.rules),
});

const base64url = (bytes: number) =>
  z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`), "must be base64url");

/** A browser's push subscription, as `PushSubscription.toJSON()` returns it. */
export const userSubscribePushInput = z.strictObject({
  endpoint: webUrl,
  p256dh: base64url(65),
  auth: base64url(16),
  /** The browser's name, for the list. */
  label: line(200),
});
export const userUnsubscribePushInput = z.strictObject({ id });

/** A browser that gets the caller's push notifications, until its session ends. `current`: this session's. */
export const pushSubscription = z.object({
  id,
  label: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp,
  current: z.boolean(),
});
export type PushSubscriptionItem = z.infer<typeof pushSubscription>;

/** `publicKey`: the `applicationServerKey` to subscribe with. */
export const pushSubscriptions = z.object({
  publicKey: z.string(),
  subscriptions: z.array(pushSubscription),
});
export type PushSubscriptions = z.infer<typeof pushSubscriptions>;

export const userTestNotificationInput = z.strictObject({ ...organizationScope, ruleId: id });
export const userListNotificationDeliveriesInput = z.object({ ...organizationScope });

/** A notification to the caller, with its delivery state. `test`: the caller asked for it. */
export const notificationDelivery = z.object({
  id,
  channel: notificationChannel,
  kind: z.enum([...notificationKind.options, "test"]),
  sessionId: id.nullable(),
  requestId: id.nullable(),
  state: notificationState,
  /** Why it was not sent. */
  error: z.string().nullable(),
  createdAt: timestamp,
  /** When it was last tried. */
  sentAt: timestamp.nullable(),
});
export type NotificationDelivery = z.infer<typeof notificationDelivery>;
