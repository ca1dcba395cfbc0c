import { sql } from "kysely";
import { expect, it } from "vitest";
import { newId } from "./ids";
import { openDatabase } from "./open";
import { createTestDatabase, useTestDatabase } from "./testing";

const { db, engine, url, reset, notifier } = await useTestDatabase();

const addOrganization = () =>
  db.insertInto("organizations").values({ id: newId(), name: "A", slug: "a" }).execute();
const organizations = (on = db) => on.selectFrom("organizations").select("slug").execute();

it("begins with empty tables, and reset empties them again", async () => {
  expect(await organizations()).toEqual([]);
  await addOrganization();
  await reset();
  expect(await organizations()).toEqual([]);
  expect((await sql`select from kysely_migration`.execute(db)).rows.length).toBeGreaterThan(0);
});

it("can be opened by a second process where the engine allows it", async () => {
  expect(url === undefined).toBe(engine === "pglite");
  if (url === undefined) return;
  await addOrganization();
  const second = await openDatabase({ url });
  expect(await organizations(second.db)).toEqual([{ slug: "a" }]);
  await second.close();
  await reset();
});

it("leaves no subscriber to the next file", async () => {
  const next = await createTestDatabase();
  const heard: unknown[] = [];
  next.notifier.subscribe("device_wake", "a", (event) => heard.push(event));
  await next.close();
  notifier.subscribe("device_wake", "a", () => heard.push("own"));
  await sql`select pg_notify('device_wake', 'a')`.execute(db);
  await expect.poll(() => heard).toEqual(["own"]);
});
