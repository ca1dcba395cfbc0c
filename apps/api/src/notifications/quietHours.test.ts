import { useTestDatabase } from "@grove/db/testing";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { afterQuietHours } from "./quietHours";

const { db } = await useTestDatabase();

const shifted = async (at: string, from: string | null, to: string | null, zone = "Europe/Vienna") => {
  const quiet = { from: sql`${from}::time`, to: sql`${to}::time`, zone: sql`${zone}` };
  const { rows } = await sql<{ at: string }>`
    select ${afterQuietHours(sql`${at}::timestamptz`, quiet)} as at`.execute(db);
  return rows[0]?.at;
};

it.each([
  ["without quiet hours", "2026-07-01T23:00:00.000Z", null, null, "2026-07-01T23:00:00.000Z"],
  ["before them", "2026-07-01T19:59:00.000Z", "22:00", "07:00", "2026-07-01T19:59:00.000Z"],
  ["in the evening", "2026-07-01T20:00:00.000Z", "22:00", "07:00", "2026-07-02T05:00:00.000Z"],
  ["after midnight", "2026-07-02T04:59:00.000Z", "22:00", "07:00", "2026-07-02T05:00:00.000Z"],
  ["at their end", "2026-07-02T05:00:00.000Z", "22:00", "07:00", "2026-07-02T05:00:00.000Z"],
  ["within a day", "2026-07-01T11:00:00.000Z", "12:30", "14:00", "2026-07-01T12:00:00.000Z"],
])("a time %s", async (_, at, from, to, expected) => {
  expect(await shifted(at, from, to)).toBe(expected);
});

it("ends by the local clock in the nights in which the clocks change", async () => {
  // Vienna: an hour is skipped on 29 March 2026 at 2:00, and repeated on 25 October at 3:00.
  expect(await shifted("2026-03-28T22:00:00Z", "22:00", "07:00")).toBe("2026-03-29T05:00:00.000Z");
  expect(await shifted("2026-10-24T21:00:00Z", "22:00", "07:00")).toBe("2026-10-25T06:00:00.000Z");
  // The quiet hours end within the skipped hour, and within the repeated hour.
  expect(await shifted("2026-03-28T22:00:00Z", "22:00", "02:30")).toBe("2026-03-29T01:30:00.000Z");
  expect(await shifted("2026-10-25T00:15:00Z", "22:00", "02:30")).toBe("2026-10-25T01:30:00.000Z");
});
