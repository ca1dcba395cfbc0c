import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { DataDirectoryLockedError } from "../../errors";
import { openDatabase } from "../../open";
import { templateFile } from "../../template";

// initdb takes seconds even on an idle processor.
vi.setConfig({ testTimeout: 180_000 });

const parent = await temporaryDirectory(afterAll);
const dataDir = join(parent, "data");
const template = await templateFile();

/** Inserts users one after another, forever, and prints each id once its insert is acknowledged. */
const writer = `
  import { newId, openDatabase } from ${JSON.stringify(new URL("../../index.ts", import.meta.url).href)};
  const { db } = await openDatabase({ dataDir: process.argv[1], template: process.argv[2] });
  while (true) {
    const id = newId();
    await db.insertInto("users").values({ id, email: id + "@example.com", name: "Ada" }).execute();
    process.stdout.write(id + "\\n");
  }`;

const options = ["--import", import.meta.resolve("tsx"), "--input-type=module"];

/** A process that opens the database and writes until it is killed. */
const startWriter = (...args: string[]) =>
  startProgram([process.execPath, ...options, "-e", writer, ...args], {
    env: process.env,
    endAfter: onTestFinished,
  });

it.each([
  ["by initdb", "PG_VERSION", []],
  ["from a template", "base", [template]],
])("opens after a kill in the middle of making the database %s", async (name, begun, from) => {
  const place = join(parent, name);
  const writing = startWriter(place, ...from);
  const half = join(place, "pgdata.new", begun);
  await expect.poll(() => existsSync(half), { interval: 1, timeout: 90_000 }).toBe(true);
  await writing.end("SIGKILL");
  expect(existsSync(join(place, "pgdata"))).toBe(false);
  await (await openDatabase({ dataDir: place, template })).close();
  expect(existsSync(half)).toBe(false);
});

it("keeps every acknowledged row when its process is killed, round after round", async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < 2; round++) {
    const writing = startWriter(dataDir, template);
    const enough = acknowledged.length + 50;
    for await (const id of createInterface({ input: writing.child.stdout })) {
      acknowledged.push(id);
      if (acknowledged.length !== enough) continue;
      await expect(openDatabase({ dataDir })).rejects.toBeInstanceOf(DataDirectoryLockedError);
      writing.child.kill("SIGKILL");
    }
    await writing.end();
    expect(acknowledged.length).toBeGreaterThanOrEqual(enough);
  }

  const database = await openDatabase({ dataDir });
  const stored = new Set((await database.db.selectFrom("users").select("id").execute()).map(({ id }) => id));
  await database.close();
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(existsSync(join(dataDir, "pgdata", "PG_VERSION"))).toBe(true);
});

it("releases the directory when it is closed, even twice", async () => {
  for (let round = 0; round < 2; round++) {
    const database = await openDatabase({ dataDir });
    await Promise.all([database.close(), database.close()]);
    await expect(database.ping()).rejects.toThrow("closed");
  }
});
