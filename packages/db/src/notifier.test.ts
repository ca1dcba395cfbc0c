import { sql } from "kysely";
import { expect, it } from "vitest";
import { newId } from "./ids";
import { ALL_KEYS, channels, type NotifierEvent, notification, notify } from "./notifier";
import { useTestDatabase } from "./testing";

// These tests hold for every notifier, independently of its transport.
const { db, notifier, engine } = await useTestDatabase();

/** Subscribes to a key, and keeps its events. */
function listen(key: string) {
  const events: NotifierEvent[] = [];
  const end = notifier.subscribe("device_wake", key, (event) => events.push(event));
  return { events, end };
}
const heard = (key: string, detail = ""): NotifierEvent => ({ kind: "notification", key, detail });

/** Announces something and waits for it. All earlier announcements have arrived then. */
async function settle() {
  const { events, end } = listen("marker");
  await notify(db, "device_wake", "marker");
  await expect.poll(() => events).toHaveLength(1);
  end();
}

it.each(channels)("delivers an id announced on %s, and the detail after it", async (channel) => {
  const events: NotifierEvent[] = [];
  const end = notifier.subscribe(channel, "a", (event) => events.push(event));
  await notify(db, channel, "a");
  await notify(db, channel, "a running now");
  await expect.poll(() => events).toEqual([heard("a"), heard("a", "running now")]);
  end();
});

it.each(["\u2028", "\u2029", "a\u2028 b", "é 日 😀"])("delivers the detail %j", async (detail) => {
  const { events, end } = listen("a");
  await notify(db, "device_wake", `a ${detail}`);
  await expect.poll(() => events).toEqual([heard("a", detail)]);
  end();
});

it("delivers one key only, or all", async () => {
  const own = listen("a");
  const all = listen(ALL_KEYS);
  const elsewhere: NotifierEvent[] = [];
  const end = notifier.subscribe("command_changed", "a", (event) => elsewhere.push(event));
  for (const key of ["a", "b"]) await notify(db, "device_wake", key);
  await settle();
  expect(own.events).toEqual([heard("a")]);
  expect(all.events).toEqual([heard("a"), heard("b"), heard("marker")]);
  expect(elsewhere).toEqual([]);
  for (const stop of [own.end, all.end, end]) stop();
});

it("announces what is committed, to listeners that subscribed just before", async () => {
  const { events, end } = listen("a");
  notifier.announce("device_wake", "a");
  notifier.announce("device_wake", "a claimed b");
  expect(events).toEqual([heard("a"), heard("a", "claimed b")]);
  await settle();
  // The notification does not return to the process that sent it.
  expect(events).toHaveLength(2);
  end();
});

it("refuses an announcement that is longer than an id and a short detail, or has several lines", () => {
  expect(() => notifier.announce("device_wake", "x".repeat(200))).toThrow(RangeError);
  expect(() => notifier.announce("device_wake", "a\nb")).toThrow(RangeError);
});

it("delivers nothing before the commit", async () => {
  const { events, end } = listen("a");
  await db.transaction().execute(async (trx) => {
    await notify(trx, "device_wake", "a");
    // The embedded engine delivers within the statement, and has no second connection to mark the time with.
    if (engine === "postgres") await settle();
    expect(events).toEqual([]);
  });
  await expect.poll(() => events).toEqual([heard("a")]);
  end();
});

it("delivers what remains after a savepoint was rolled back", async () => {
  const { events, end } = listen(ALL_KEYS);
  const trx = await db.startTransaction().execute();
  await notify(trx, "device_wake", "a");
  const savepoint = await trx.savepoint("before").execute();
  await notify(savepoint, "device_wake", "b");
  await savepoint.rollbackToSavepoint("before").execute();
  await notify(trx, "device_wake", "c");
  await trx.commit().execute();
  await expect.poll(() => events).toEqual([heard("a"), heard("c")]);
  end();
});

it("delivers nothing that is rolled back", async () => {
  const { events, end } = listen("a");
  const trx = await db.startTransaction().execute();
  await notify(trx, "device_wake", "a");
  await trx.rollback().execute();
  await settle();
  expect(events).toEqual([]);
  end();
});

it("announces from within a statement, for each row", async () => {
  const { events, end } = listen(ALL_KEYS);
  const ids = [newId(), newId()];
  await db
    .with("made", (cte) =>
      cte
        .insertInto("users")
        .values(ids.map((id) => ({ id, email: `${id}@example.com`, name: "Ada" })))
        .returning("id"),
    )
    .selectFrom("made")
    .select(notification("device_wake", sql`made.id || ' new'`).as("announced"))
    .execute();
  await expect.poll(() => events).toEqual(ids.map((id) => heard(id, "new")));
  end();
});

it("continues when a listener throws", async () => {
  const end = notifier.subscribe("device_wake", "a", () => {
    throw new Error("on purpose");
  });
  const { events, end: endSecond } = listen("a");
  await notify(db, "device_wake", "a");
  await expect.poll(() => events).toEqual([heard("a")]);
  await settle();
  end();
  endSecond();
});

it("ends each subscription separately, even while events are delivered", async () => {
  const { events, end } = listen("a");
  const same = (event: NotifierEvent) => {
    events.push(event);
    endFirst();
  };
  const endFirst = notifier.subscribe("device_wake", "b", same);
  const endSecond = notifier.subscribe("device_wake", "b", same);
  await notify(db, "device_wake", "b");
  await notify(db, "device_wake", "b");
  await settle();
  expect(events).toEqual([heard("b"), heard("b"), heard("b")]);
  endSecond();
  end();
  await notify(db, "device_wake", "a");
  await settle();
  expect(events).toHaveLength(3);
});

it("carries ids, not messages", async () => {
  await expect(notify(db, "device_wake", "é".repeat(100))).rejects.toThrow(RangeError);
  await notify(db, "device_wake", "x".repeat(199));
});
