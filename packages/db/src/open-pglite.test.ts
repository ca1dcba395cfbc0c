import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { afterAll, expect, it, vi } from "vitest";
import { newId } from "./ids";
import { openDatabase } from "./open";

// Making a new database takes seconds even of an idle processor.
vi.setConfig({ testTimeout: 180_000 });

const parent = await temporaryDirectory(afterAll);

it("opens in memory without a directory", async () => {
  const { db, engine, ping, close } = await openDatabase();
  expect(engine).toBe("pglite");
  await ping();
  await db.insertInto("organizations").values({ id: newId(), name: "Acme", slug: "acme" }).execute();
  expect(await db.selectFrom("organizations").select("name").execute()).toEqual([{ name: "Acme" }]);
  await close();
  await expect(ping()).rejects.toThrow("closed");
});

it("lets nobody else read its files, even in a directory that others may read", async () => {
  const dataDir = join(parent, "shared");
  mkdirSync(dataDir, { mode: 0o755 });
  const modeAfterOpening = async () => {
    await (await openDatabase({ dataDir })).close();
    return statSync(join(dataDir, "pgdata")).mode & 0o7777;
  };
  expect(await modeAfterOpening()).toBe(0o700);
  chmodSync(join(dataDir, "pgdata"), 0o755);
  expect(await modeAfterOpening()).toBe(0o700);
  // A mode that keeps others out is not touched: file systems without modes refuse any change.
  chmodSync(join(dataDir, "pgdata"), 0o1700);
  expect(await modeAfterOpening()).toBe(0o1700);
});

it("releases the directory when it cannot be opened", async () => {
  mkdirSync(join(parent, "pgdata"));
  writeFileSync(join(parent, "pgdata", "PG_VERSION"), "nonsense");
  for (let round = 0; round < 2; round++)
    await expect(openDatabase({ dataDir: parent })).rejects.toThrow(
      `The embedded database in ${join(parent, "pgdata")} does not open`,
    );
});

it("fails when the directory cannot be made", async () => {
  await expect(
    openDatabase({ dataDir: join(parent, "pgdata", "PG_VERSION", "below-a-file") }),
  ).rejects.toThrow();
  if (process.platform === "linux")
    await expect(openDatabase({ dataDir: "/proc/grove/data" })).rejects.toThrow("ENOENT");
});
