import { createDatabase } from "@grove/testing/postgres";
import { sql } from "kysely";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { migrations } from "./migrations";
import { openDatabase } from "./open";

it("does not block readers while a migration waits for its lock, and continues when that is free", async () => {
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  onTestFinished(drop);
  await (await openDatabase({ url })).close();
  const [holder, reader] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([holder.connect(), reader.connect()]);

  const adding = "9999_adding";
  migrations[adding] = {
    up: async (db) => void (await sql`alter table tasks add column added text`.execute(db)),
  };
  onTestFinished(() => {
    delete migrations[adding];
  });
  await holder.query("begin; lock table tasks in access share mode");
  const opening = openDatabase({ url });
  const waits = "select from pg_locks where not granted and relation = 'tasks'::regclass";
  await expect.poll(async () => (await reader.query(waits)).rowCount).toBe(1);
  // Queues behind the migration, and is served when that gives up: the holder still has its lock.
  await reader.query("select from tasks");
  await holder.query("commit");
  const { db, close } = await opening;
  expect((await sql`select added from tasks`.execute(db)).rows).toEqual([]);
  await Promise.all([holder.end(), reader.end(), close()]);
});
