import {
  type AnalyticsCohort,
  type AnalyticsEventCount,
  type AnalyticsFunnelStep,
  type AnalyticsInterval,
  type AnalyticsSeries,
  DAY_MS,
} from "@grove/schemas";

/** The answers of analytics, computed in memory in the simplest way. Tests compare the SQL with it. */

export interface Happened {
  event: string;
  user: string;
  /** ISO. For equal times, the order in the list counts. */
  at: string;
}

interface Range {
  from: string;
  to: string;
}
interface Calendar extends Range {
  interval: AnalyticsInterval;
  timeZone: string;
}

const inRange = (all: Happened[], { from, to }: Range) =>
  all.filter(({ at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to));

const countUsers = (events: Happened[]) => new Set(events.map(({ user }) => user)).size;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar of a time zone; cached, since making one takes long. Sweden writes dates as ISO does. */
function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  formats.set(timeZone, format);
  return format;
}

/** The day on which the interval that contains a time begins, by the time zone's own calendar. */
function startOf(time: number, { interval, timeZone }: Pick<Calendar, "interval" | "timeZone">): string {
  const day = calendarOf(timeZone).format(time);
  if (interval === "month") return `${day.slice(0, 8)}01`;
  if (interval === "day") return day;
  const noon = Date.parse(`${day}T12:00:00Z`);
  const sinceMonday = (new Date(noon).getUTCDay() + 6) % 7;
  return new Date(noon - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** Every interval that has an hour in the range. */
function starts(calendar: Calendar): string[] {
  const found = new Set<string>();
  const to = Date.parse(calendar.to);
  for (let time = Date.parse(calendar.from); time < to; time += DAY_MS / 48)
    found.add(startOf(time, calendar));
  found.add(startOf(to - 1, calendar));
  return [...found].sort();
}

export function trend(
  all: Happened[],
  { events, ...calendar }: Calendar & { events?: string[] },
): AnalyticsSeries[] {
  return (events ?? [null]).map((event) => ({
    event,
    points: starts(calendar).map((start) => {
      const events = inRange(all, calendar).filter(
        (one) => (event === null || one.event === event) && startOf(Date.parse(one.at), calendar) === start,
      );
      return { start, count: events.length, users: countUsers(events) };
    }),
  }));
}

export function topEvents(
  all: Happened[],
  { limit, ...range }: Range & { limit: number },
): AnalyticsEventCount[] {
  const inRangeEvents = inRange(all, range);
  return [...new Set(inRangeEvents.map(({ event }) => event))]
    .map((event) => {
      const these = inRangeEvents.filter((one) => one.event === event);
      return { event, count: these.length, users: countUsers(these) };
    })
    .sort((a, b) => b.count - a.count || (a.event < b.event ? -1 : 1))
    .slice(0, limit);
}

export function funnel(
  all: Happened[],
  { events, ...range }: Range & { events: string[] },
): AnalyticsFunnelStep[] {
  const ordered = inRange(all, range)
    .map((one, order) => ({ ...one, order }))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.order - b.order);
  const reached = [...new Set(ordered.map(({ user }) => user))].map((user) => {
    let steps = 0;
    for (const one of ordered) if (one.user === user && one.event === events[steps]) steps++;
    return steps;
  });
  const users = events.map((_, at) => reached.filter((steps) => steps > at).length);
  return events.map((event, at) => ({
    event,
    users: users[at] ?? 0,
    conversion: users[0] ? (users[at] ?? 0) / users[0] : 0,
  }));
}

export function retention(
  all: Happened[],
  { event, returnEvent = event, ...calendar }: Calendar & { event: string; returnEvent?: string },
): AnalyticsCohort[] {
  const inRangeEvents = inRange(all, calendar);
  const firsts = new Map<string, number>();
  for (const one of inRangeEvents.filter((other) => other.event === event))
    firsts.set(one.user, Math.min(firsts.get(one.user) ?? Number.POSITIVE_INFINITY, Date.parse(one.at)));
  const periods = starts(calendar);
  return periods.map((start, at) => {
    const cohort = [...firsts].filter(([, first]) => startOf(first, calendar) === start);
    const retained = periods
      .slice(at)
      .map(
        (period) =>
          cohort.filter(([user, first]) =>
            inRangeEvents.some(
              (one) =>
                one.user === user &&
                one.event === returnEvent &&
                Date.parse(one.at) >= first &&
                startOf(Date.parse(one.at), calendar) === period,
            ),
          ).length,
      );
    return { start, users: cohort.length, retained };
  });
}
