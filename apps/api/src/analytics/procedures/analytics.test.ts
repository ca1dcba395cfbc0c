import { firstIdAt, newId, partitionsOf } from "@grove/db";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Step, stepsIn } from "../../maintenance/hourlyWork";
import { rollUpEvents } from "../../maintenance/rollUpEvents";
import * as naive from "../../testing/analytics";
import { addMember, makeSiteAdmin } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const eve = await server.signUp("Eve");
const { organizationId } = ada;

/** Users that have only events. */
const users = Array.from({ length: 4 }, () => newId());
beforeAll(async () => {
  await db
    .insertInto("users")
    .values(users.map((id) => ({ id, email: `${id}@example.com`, name: "User" })))
    .execute();
});

const record = (events: naive.Happened[], organization: string | null = organizationId) =>
  db
    .insertInto("analytics_events")
    .values(
      events.map(({ event, user, at }) => ({
        id: newId(),
        organization_id: organization,
        user_id: user,
        event,
        properties: "{}",
        occurred_at: new Date(at),
      })),
    )
    .execute();

describe("analytics.track", () => {
  const rowOf = (id: string) =>
    db.selectFrom("analytics_events").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  // Contract: analytics.track
  it("accepts an event without an organization", async () => {
    const tracked = await ada.client.analytics.track.mutate({ event: "opened" });
    const row = await rowOf(tracked.id);
    expect(row).toMatchObject({
      organization_id: null,
      user_id: ada.user.id,
      event: "opened",
      properties: {},
    });
    expect(row.occurred_at).toBe(tracked.receivedAt);
  });

  it("accepts properties, and the time of the event", async () => {
    const { id } = await ada.client.analytics.track.mutate({
      organizationId,
      event: "größe geändert",
      properties: { from: 1, to: { nested: ["✓"] } },
      timestamp: "2026-02-03T04:05:06.789Z",
    });
    expect(await rowOf(id)).toMatchObject({
      organization_id: organizationId,
      properties: { from: 1, to: { nested: ["✓"] } },
      occurred_at: "2026-02-03T04:05:06.789Z",
    });
  });

  it("records an API key's events in its organization, and in no other", async () => {
    const { key } = await ada.client.apiKey.create.mutate({ organizationId, name: "tracker" });
    const { analytics } = server.client(key);
    const { id } = await analytics.track.mutate({ event: "opened" });
    expect(await rowOf(id)).toMatchObject({ organization_id: organizationId, user_id: ada.user.id });
    const foreign = analytics.track.mutate({ event: "opened", organizationId: eve.organizationId });
    expect(await failure(foreign)).toMatchObject({ code: "FORBIDDEN", reason: "not_a_member" });
  });

  it("accepts a batch whole or not at all", async () => {
    const event = newId();
    const batch = (events: object[]) =>
      ada.client.analytics.trackBatch.mutate({ events: events.map((more) => ({ event, ...more })) });
    expect(await batch([{}, { organizationId }])).toEqual({ accepted: 2 });
    expect(await failure(batch([{}, { organizationId: eve.organizationId }]))).toMatchObject({
      code: "FORBIDDEN",
    });
    for (const events of [[], Array.from({ length: 101 }, () => ({}))])
      expect(await failure(batch(events))).toMatchObject({ code: "BAD_REQUEST" });
    const { count } = await db
      .selectFrom("analytics_events")
      .select((eb) => eb.fn.countAll<string>().as("count"))
      .where("event", "=", event)
      .executeTakeFirstOrThrow();
    expect(count).toBe("2");
  });

  it.each(["0000-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2100-01-01T00:00:00Z", "2026-02-30T00:00:00Z"])(
    "refuses the time %s",
    async (timestamp) => {
      const call = ada.client.analytics.track.mutate({ event: "x", timestamp });
      expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST" });
    },
  );
});

describe("a week of five users' events, computed by hand", () => {
  const [one = "", two = "", three = "", four = ""] = users;
  // Berlin springs forward on Sunday 29 March 2026 at 01:00 UTC: that day ends at 22:00 UTC.
  const events: naive.Happened[] = [
    { user: one, event: "visit", at: "2026-03-22T22:59:59.999Z" }, // Sunday 23:59 in Berlin
    { user: one, event: "visit", at: "2026-03-22T23:00:00.000Z" }, // Monday 00:00 in Berlin
    { user: one, event: "sign up", at: "2026-03-23T10:00:00.000Z" },
    { user: one, event: "buy", at: "2026-03-30T10:00:00.000Z" },
    { user: two, event: "sign up", at: "2026-03-24T08:00:00.000Z" }, // before the visit: does not count as after it
    { user: two, event: "visit", at: "2026-03-24T09:00:00.000Z" },
    { user: two, event: "visit", at: "2026-03-29T21:59:59.999Z" }, // Sunday 23:59 in Berlin
    { user: three, event: "visit", at: "2026-03-29T22:00:00.000Z" }, // Monday 00:00 in Berlin
    { user: three, event: "sign up", at: "2026-03-29T22:00:00.000Z" }, // the same time, received after it
    { user: four, event: "visit", at: "2026-04-05T22:00:00.000Z" }, // where the range ends: out
  ];
  const berlin = {
    from: "2026-03-15T23:00:00.000Z",
    to: "2026-04-05T22:00:00.000Z",
    timeZone: "Europe/Berlin",
  };
  const input = {
    get organizationId() {
      return ann.organizationId;
    },
    ...berlin,
  };
  let ann: Awaited<ReturnType<typeof server.signUp>>;
  beforeAll(async () => {
    ann = await server.signUp("Ann");
    await record(events, ann.organizationId);
    // Events of another organization, and of none, count nowhere.
    await record(events, eve.organizationId);
    await record(events, null);
  });

  it("trend by week, in Berlin and in UTC", async () => {
    const trend = (timeZone: string) =>
      ann.client.analytics.trend.query({ ...input, timeZone, interval: "week", events: ["visit", "buy"] });
    expect(await trend("Europe/Berlin")).toEqual([
      {
        event: "visit",
        points: [
          { start: "2026-03-16", count: 1, users: 1 },
          { start: "2026-03-23", count: 3, users: 2 },
          { start: "2026-03-30", count: 1, users: 1 },
        ],
      },
      {
        event: "buy",
        points: [
          { start: "2026-03-16", count: 0, users: 0 },
          { start: "2026-03-23", count: 0, users: 0 },
          { start: "2026-03-30", count: 1, users: 1 },
        ],
      },
    ]);
    const [visits] = await trend("UTC");
    expect(visits?.points).toEqual([
      { start: "2026-03-09", count: 0, users: 0 },
      { start: "2026-03-16", count: 2, users: 1 },
      { start: "2026-03-23", count: 3, users: 2 },
      { start: "2026-03-30", count: 0, users: 0 },
    ]);
  });

  it("trend by day of all events, over the day with 23 hours", async () => {
    const [all] = await ann.client.analytics.trend.query({
      ...input,
      from: "2026-03-27T23:00:00.000Z",
      to: "2026-03-30T22:00:00.000Z",
    });
    expect(all).toEqual({
      event: null,
      points: [
        { start: "2026-03-28", count: 0, users: 0 },
        { start: "2026-03-29", count: 1, users: 1 },
        { start: "2026-03-30", count: 3, users: 2 },
      ],
    });
  });

  it("trend by day where a day begins twice", async () => {
    // Havana's clocks fall back on 1 November 2026 from 01:00 (05:00 UTC) to midnight.
    const [lea, user] = [await server.signUp("Lea"), one];
    const at = [
      "2026-11-01T03:59:59Z",
      "2026-11-01T04:30:00Z",
      "2026-11-01T05:30:00Z",
      "2026-11-02T04:59:59Z",
    ];
    await record(
      at.map((time) => ({ user, event: "visit", at: time })),
      lea.organizationId,
    );
    const range = { from: "2026-10-31T04:00:00Z", to: "2026-11-02T05:00:00Z", timeZone: "America/Havana" };
    const { organizationId } = lea;
    const [all] = await lea.client.analytics.trend.query({ organizationId, ...range });
    expect(all?.points).toEqual([
      { start: "2026-10-31", count: 1, users: 1 },
      { start: "2026-11-01", count: 3, users: 1 },
    ]);
  });

  it("trend by month", async () => {
    const [all] = await ann.client.analytics.trend.query({ ...input, interval: "month" });
    expect(all?.points).toEqual([
      { start: "2026-03-01", count: 9, users: 3 },
      { start: "2026-04-01", count: 0, users: 0 },
    ]);
  });

  it("topEvents", async () => {
    const { timeZone: _, ...range } = { ...input, organizationId: ann.organizationId };
    expect(await ann.client.analytics.topEvents.query({ ...range, limit: 2 })).toEqual([
      { event: "visit", count: 5, users: 3 },
      { event: "sign up", count: 3, users: 3 },
    ]);
  });

  it("funnel", async () => {
    const { timeZone: _, ...range } = { ...input, organizationId: ann.organizationId };
    const funnel = (...steps: string[]) => ann.client.analytics.funnel.query({ ...range, events: steps });
    expect(await funnel("visit", "sign up", "buy")).toEqual([
      { event: "visit", users: 3, conversion: 1 },
      { event: "sign up", users: 2, conversion: 2 / 3 },
      { event: "buy", users: 1, conversion: 1 / 3 },
    ]);
    expect(await funnel("visit", "visit")).toMatchObject([{ users: 3 }, { users: 2 }]);
    expect(await funnel("never", "visit")).toEqual([
      { event: "never", users: 0, conversion: 0 },
      { event: "visit", users: 0, conversion: 0 },
    ]);
  });

  it("retention by week", async () => {
    const retention = (more: object = {}) =>
      ann.client.analytics.retention.query({ ...input, event: "visit", ...more });
    expect(await retention()).toEqual([
      { start: "2026-03-16", users: 1, retained: [1, 1, 0] },
      { start: "2026-03-23", users: 1, retained: [1, 0] },
      { start: "2026-03-30", users: 1, retained: [1] },
    ]);
    expect(await retention({ returnEvent: "sign up" })).toEqual([
      { start: "2026-03-16", users: 1, retained: [0, 1, 0] },
      { start: "2026-03-23", users: 1, retained: [0, 0] },
      { start: "2026-03-30", users: 1, retained: [1] },
    ]);
  });
});

describe("random events, against the naive computation", () => {
  const names = ["a", "b", "c"];
  const first = Date.parse("2026-03-20T00:00:00Z");
  const last = Date.parse("2026-04-20T00:00:00Z");
  const hour = 3_600_000;
  /** Full hours more often than not, so that times are equal and fall on borders. */
  const time = fc
    .oneof(
      {
        weight: 3,
        arbitrary: fc.integer({ min: first / hour, max: last / hour }).map((hours) => hours * hour),
      },
      { weight: 1, arbitrary: fc.integer({ min: first, max: last }) },
    )
    .map((ms) => new Date(ms).toISOString());
  const happened = fc.record({
    event: fc.constantFrom(...names),
    user: fc.constantFrom(...users),
    at: time,
  });
  const question = fc
    .record({
      times: fc.uniqueArray(time, { minLength: 2, maxLength: 2 }),
      interval: fc.constantFrom("day" as const, "week" as const, "month" as const),
      timeZone: fc.constantFrom(
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "Asia/Kolkata",
        "Asia/Kathmandu",
        "Asia/Beirut",
        "Australia/Lord_Howe",
        "Pacific/Kiritimati",
        "Pacific/Pago_Pago",
      ),
    })
    .map(({ times: [a = "", b = ""], ...calendar }) => ({
      from: a < b ? a : b,
      to: a < b ? b : a,
      ...calendar,
    }));

  it("trend, topEvents, funnel and retention give the same", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happened, { minLength: 1, maxLength: 60 }),
        question,
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
        fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 4 }),
        async (events, calendar, series, steps) => {
          // A trigger keeps what is young.
          const old = { received_at: new Date(0) };
          await db
            .updateTable("analytics_events")
            .set(old)
            .where("organization_id", "=", organizationId)
            .execute();
          await db.deleteFrom("analytics_events").where("organization_id", "=", organizationId).execute();
          await record(events);
          const { from, to } = calendar;
          const range = { organizationId, from, to };
          const { analytics } = ada.client;
          const [trend, all, top, funnel, same, other] = await Promise.all([
            analytics.trend.query({ organizationId, ...calendar, events: series }),
            analytics.trend.query({ organizationId, ...calendar }),
            analytics.topEvents.query({ ...range, limit: 2 }),
            analytics.funnel.query({ ...range, events: steps }),
            analytics.retention.query({ organizationId, ...calendar, event: "a" }),
            analytics.retention.query({ organizationId, ...calendar, event: "a", returnEvent: "b" }),
          ]);
          expect(trend).toEqual(naive.trend(events, { ...calendar, events: series }));
          expect(all).toEqual(naive.trend(events, calendar));
          expect(top).toEqual(naive.topEvents(events, { from, to, limit: 2 }));
          expect(funnel).toEqual(naive.funnel(events, { from, to, events: steps }));
          expect(same).toEqual(naive.retention(events, { ...calendar, event: "a" }));
          expect(other).toEqual(naive.retention(events, { ...calendar, event: "a", returnEvent: "b" }));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a query", () => {
  const range = { organizationId, from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const { analytics } = ada.client;

  it.each([
    ["that goes backwards", { to: "2025-12-31T00:00:00Z" }],
    ["of an empty range", { to: range.from }],
    ["of more than 1100 days", { to: "2029-02-01T00:00:00Z" }],
    ["in no time zone", { timeZone: "Mars/Olympus" }],
    ["in an offset", { timeZone: "+02:00" }],
    ["in a time zone that only JavaScript knows", { timeZone: "US/Pacific-New" }],
    ["by the hour", { interval: "hour" as "day" }],
    ["of too many events", { events: Array.from({ length: 11 }, (_, n) => `${n}`) }],
  ])("%s is refused", async (_, more) => {
    expect(await failure(analytics.trend.query({ ...range, ...more }))).toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  it("is refused with too many steps or cohorts", async () => {
    const events = Array.from({ length: 11 }, (_, n) => `${n}`);
    expect(await failure(analytics.funnel.query({ ...range, events }))).toMatchObject({
      code: "BAD_REQUEST",
    });
    expect(
      await failure(
        analytics.retention.query({ ...range, to: "2026-06-01T00:00:00Z", event: "a", interval: "day" }),
      ),
    ).toMatchObject({ code: "BAD_REQUEST" });
  });

  it("without an organization is for site admins, over all events", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const all = { from: "2031-01-01T00:00:00Z", to: "2031-01-02T00:00:00Z" };
    await record([{ event: "a", user: users[0] ?? "", at: "2031-01-01T12:00:00Z" }]);
    await record([{ event: "a", user: users[1] ?? "", at: "2031-01-01T12:00:00Z" }], null);
    const ask = () => bob.client.analytics.topEvents.query(all);
    expect(await failure(ask())).toMatchObject({ code: "FORBIDDEN", reason: "admin_required" });
    await makeSiteAdmin(server, bob);
    expect(await ask()).toEqual([{ event: "a", count: 2, users: 2 }]);
    expect(await bob.client.analytics.trend.query({ ...all, events: ["b", "a"] })).toEqual([
      { event: "b", points: [{ start: "2031-01-01", count: 0, users: 0 }] },
      { event: "a", points: [{ start: "2031-01-01", count: 2, users: 2 }] },
    ]);
    expect(await bob.client.analytics.funnel.query({ ...all, events: ["a", "b"] })).toMatchObject([
      { users: 2 },
      { users: 0 },
    ]);
    expect(await failure(bob.client.analytics.topEvents.query({ ...all, organizationId }))).toMatchObject({
      code: "FORBIDDEN",
      reason: "role_required",
    });
  });
});

describe("events of a month that is no longer kept", () => {
  /** When the first partition ends. */
  let bound = 0;
  const day = 86_400_000;
  const at = (days: number) => new Date(bound + days * day).toISOString();
  /**
   * Two weeks before the border of two partitions, and two after it. Each is received when it happens. Some happen at
   * the same time, and all are more than one step adds up.
   */
  const times = Array.from({ length: 500 }, (_, n) => -14 + Math.floor(n / 3) * 0.168);
  let events: naive.Happened[] = [];
  let ann: Awaited<ReturnType<typeof server.signUp>>;
  beforeAll(async () => {
    bound = (await partitionsOf(db, "analytics_events"))[0]?.to.getTime() ?? 0;
    ann = await server.signUp("Ann");
    events = times.map((days, n) => ({
      event: ["a", "b", "c"][((n * n + n) % 5) % 3] ?? "",
      user: users[(n >> 2) % users.length] ?? "",
      at: at(days),
    }));
    // More events of one moment, and more names, than one step reads.
    for (let n = 0; n < 450; n++)
      events.push({ event: `${n % 300}`, user: users[n % users.length] ?? "", at: at(-3) });
    await insert(events);
  });

  const insert = (all: naive.Happened[]) =>
    db
      .insertInto("analytics_events")
      .values(
        all.map(({ event, user, at }) => ({
          id: `${firstIdAt(new Date(at)).slice(0, 14)}7000-8000-${newId().slice(-12)}`,
          organization_id: ann.organizationId,
          user_id: user,
          event,
          properties: "{}",
          occurred_at: new Date(at),
        })),
      )
      .execute();

  /** Whole days, weeks and months: only these are known of events that are no longer kept. */
  const range = () => ({ from: at(-35), to: at(35) });
  const compare = async () => {
    const { analytics } = ann.client;
    const input = { organizationId: ann.organizationId, ...range() };
    for (const interval of ["day", "week", "month"] as const) {
      const calendar = { ...range(), interval, timeZone: "UTC" };
      const [all, chosen] = await Promise.all([
        analytics.trend.query({ ...input, interval }),
        analytics.trend.query({ ...input, interval, events: ["b", "a"] }),
      ]);
      expect(all).toEqual(naive.trend(events, calendar));
      expect(chosen).toEqual(naive.trend(events, { ...calendar, events: ["b", "a"] }));
    }
    const counts = (all: { event: string; count: number }[]) => all.map(({ event, count }) => [event, count]);
    expect(counts(await analytics.topEvents.query(input))).toEqual(
      counts(naive.topEvents(events, { ...range(), limit: 10 })),
    );
  };
  const funnel = (from: string) =>
    ann.client.analytics.funnel.query({
      organizationId: ann.organizationId,
      ...range(),
      from,
      events: ["a", "b"],
    });
  const partsLeft = async () => (await partitionsOf(db, "analytics_events")).length;

  it("are counted by trend and topEvents as before", async () => {
    await compare();
    const parts = await partsLeft();
    await rollUpEvents(db, 90, new Date(bound + 89 * day));
    expect(await partsLeft()).toBe(parts);
    for (const steps of [1, 2, 3, 4, 5, 6]) {
      let left = steps;
      const interrupted: Step = async (work) => left-- > 0 && stepsIn(db)(work);
      await rollUpEvents(db, 90, new Date(bound + 90 * day), interrupted);
      expect(left).toBe(-1);
    }
    await compare();
    await rollUpEvents(db, 90, new Date(bound + 90 * day));
    expect(await partsLeft()).toBe(parts - 1);
    await compare();
  });

  it("are no part of a funnel or of retention, which return the time from which on they count", async () => {
    const since = at(0);
    const tooOld = { code: "BAD_REQUEST", reason: "range_too_old", data: { details: { since } } };
    expect(await failure(funnel(at(-1)))).toMatchObject(tooOld);
    const { organizationId } = ann;
    const retention = ann.client.analytics.retention.query({ organizationId, ...range(), event: "a" });
    expect(await failure(retention)).toMatchObject(tooOld);
    expect(await funnel(since)).toEqual(
      naive.funnel(events, { ...range(), from: since, events: ["a", "b"] }),
    );
    // Another organization has lost none.
    expect(
      await server.client(eve.token).analytics.funnel.query({
        organizationId: eve.organizationId,
        ...range(),
        events: ["a", "b"],
      }),
    ).toHaveLength(2);
  });

  it("still count after the next month is aggregated and further events arrive late", async () => {
    await rollUpEvents(db, 90, new Date(bound + 400 * day));
    await compare();
    const late = { event: "a", user: users[0] ?? "", at: at(-3) };
    await db
      .insertInto("analytics_events")
      .values({
        id: newId(),
        organization_id: ann.organizationId,
        user_id: late.user,
        event: late.event,
        properties: "{}",
        occurred_at: new Date(late.at),
      })
      .execute();
    const count = async () =>
      (await ann.client.analytics.topEvents.query({ organizationId: ann.organizationId, ...range() })).find(
        ({ event }) => event === "a",
      )?.count;
    expect(await count()).toBe(events.filter(({ event }) => event === "a").length + 1);
  });
});
