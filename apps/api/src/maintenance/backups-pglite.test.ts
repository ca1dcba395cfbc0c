import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBackup } from "@grove/db";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { afterAll, expect, it } from "vitest";
import { useTestServer } from "../testing/server";
import { backupDirectory, isDue } from "./backups";

const dataDir = await temporaryDirectory(afterAll);
mkdirSync(join(dataDir, "pgdata"));
writeFileSync(join(dataDir, "pgdata", "PG_VERSION"), "18\n");
utimesSync(join(dataDir, "pgdata", "PG_VERSION"), new Date(2026, 1, 1, 12), new Date(2026, 1, 1, 12));
let today = new Date(2026, 1, 1, 23);
const server = await useTestServer({ backups: { dataDir, everyMs: 10, now: () => today } });

const backups = () => {
  try {
    return readdirSync(backupDirectory(dataDir)).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
};

it("backs up the embedded database each night while it serves", async () => {
  await server.signUp("Ada");
  expect(backups()).toEqual([]);
  for (const [count, day] of [2, 3].entries()) {
    today = new Date(2026, 1, day, 4);
    await expect.poll(backups).toHaveLength(count + 1);
  }
  const [first = ""] = backups();
  const { summary } = await openBackup(join(backupDirectory(dataDir), first));
  expect(summary.rows).toMatchObject({ users: 1, organizations: 1, memberships: 1 });
});

/** A time of the machine's own zone. */
const at = (day: number, hour: number) => new Date(2026, 1, day, hour, 30);

it("backs up once a night, and makes a missed backup when the machine wakes", () => {
  expect(isDue(at(3, 12), at(3, 23))).toBe(false);
  expect(isDue(at(3, 12), at(4, 2))).toBe(false);
  expect(isDue(at(3, 12), at(4, 3))).toBe(true);
  expect(isDue(at(4, 3), at(4, 4))).toBe(false);
  expect(isDue(at(4, 3), at(5, 2))).toBe(false);
  expect(isDue(at(4, 3), at(9, 11))).toBe(true);
});
