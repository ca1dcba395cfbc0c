import * as z from "zod";
import { DAY_MS } from "../durations";
import { id, jsonObject, line, timestamp, timeZone } from "../values";

/** An event's name, chosen by the caller. */
export const analyticsEventName = line(200);

/** PostgreSQL and JavaScript agree on these years, and no clock is so wrong that it lies outside them. */
const analyticsTime = timestamp.refine(
  (value) => value >= "2000" && value < "2100",
  "must lie in the years 2000 to 2099",
);

const tracked = {
  /** The organization of the event. An API key's events belong to its own; others may belong to none. */
  organizationId: id.optional(),
  event: analyticsEventName,
  properties: jsonObject.default({}),
  /** When it happened; now when omitted. */
  timestamp: analyticsTime.optional(),
};

export const analyticsTrackInput = z.strictObject(tracked);
export type AnalyticsTrackInput = z.infer<typeof analyticsTrackInput>;
export const analyticsTracked = z.object({ id, receivedAt: timestamp });

export const analyticsTrackBatchInput = z.strictObject({
  events: z.array(z.strictObject(tracked)).min(1).max(100),
});
export type AnalyticsTrackBatchInput = z.infer<typeof analyticsTrackBatchInput>;
export const analyticsBatchTracked = z.object({ accepted: z.number().int() });

/** Calendar units in the requested time zone; weeks begin on Monday. */
export const analyticsInterval = z.enum(["day", "week", "month"]);
export type AnalyticsInterval = z.infer<typeof analyticsInterval>;

/**
 * Includes `from`, excludes `to`. Without an organization: the events of the whole service, for its admins.
 *
 * Single events are kept for some months (ANALYTICS_DAYS). Older events are kept only as counts for each day, week and
 * month of UTC. Such a count is included if the range overlaps its interval.
 */
const range = { organizationId: id.optional(), from: analyticsTime, to: analyticsTime };

/** The longest range of one query: in days, and in cohorts' intervals, which bounds the size of the response. */
export const ANALYTICS_LIMITS = { days: 1100, cohorts: 100 } as const;

const days = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

const isForward = (value: { from: string; to: string }) => days(value) > 0;
const forward = { error: "to must be later than from", path: ["to"] };
const isShort = (value: { from: string; to: string }) => days(value) <= ANALYTICS_LIMITS.days;
const short = { error: `must be at most ${ANALYTICS_LIMITS.days} days after from`, path: ["to"] };

export const analyticsTrendInput = z
  .object({
    ...range,
    interval: analyticsInterval.default("day"),
    timeZone,
    /** One series for each. When omitted, all events form one series. */
    events: z.array(analyticsEventName).min(1).max(10).optional(),
  })
  .refine(isForward, forward)
  .refine(isShort, short);
export type AnalyticsTrendInput = z.infer<typeof analyticsTrendInput>;

/** One point for each interval that the range touches, even if nothing happened in it. */
export const analyticsSeries = z.object({
  /** Null for all events together. */
  event: z.string().nullable(),
  points: z.array(
    z.object({
      /** The day on which the interval begins, in the requested time zone. */
      start: z.iso.date(),
      count: z.number().int(),
      /** The number of different users; a lower bound if events of the interval arrived months later than others. */
      users: z.number().int(),
    }),
  ),
});
export type AnalyticsSeries = z.infer<typeof analyticsSeries>;

export const analyticsTopEventsInput = z
  .object({ ...range, limit: z.number().int().min(1).max(100).default(10) })
  .refine(isForward, forward)
  .refine(isShort, short);
export type AnalyticsTopEventsInput = z.infer<typeof analyticsTopEventsInput>;
export const analyticsEventCount = z.object({
  event: z.string(),
  count: z.number().int(),
  /** The number of distinct users; a lower bound, if the range begins before single events were kept. */
  users: z.number().int(),
});
export type AnalyticsEventCount = z.infer<typeof analyticsEventCount>;

export const analyticsFunnelInput = z
  .object({
    ...range,
    /** The steps, in order. An event may be named twice. */
    events: z.array(analyticsEventName).min(2).max(10),
  })
  .refine(isForward, forward)
  .refine(isShort, short);
export type AnalyticsFunnelInput = z.infer<typeof analyticsFunnelInput>;
export const analyticsFunnelStep = z.object({
  event: z.string(),
  /** How many users reached this step. */
  users: z.number().int(),
  /** The share of these users among all users who took the first step: 0..1. */
  conversion: z.number(),
});
export type AnalyticsFunnelStep = z.infer<typeof analyticsFunnelStep>;

const intervalDays = { day: 1, week: 7, month: 28 } as const;

export const analyticsRetentionInput = z
  .object({
    ...range,
    interval: analyticsInterval.default("week"),
    timeZone,
    /** The first occurrence of this event in the range makes a user part of a cohort. */
    event: analyticsEventName,
    /** The event that counts as a return; the same event when omitted. */
    returnEvent: analyticsEventName.optional(),
  })
  .refine(isForward, forward)
  .refine(isShort, short)
  .refine((value) => days(value) <= ANALYTICS_LIMITS.cohorts * intervalDays[value.interval], {
    error: `must be at most ${ANALYTICS_LIMITS.cohorts} intervals after from`,
    path: ["to"],
  });
export type AnalyticsRetentionInput = z.infer<typeof analyticsRetentionInput>;
export const analyticsCohort = z.object({
  /** The day on which the cohort's interval begins, in the requested time zone. */
  start: z.iso.date(),
  users: z.number().int(),
  /** How many of these users returned: in the same interval (after the event that made them join), in the next, … */
  retained: z.array(z.number().int()),
});
export type AnalyticsCohort = z.infer<typeof analyticsCohort>;
