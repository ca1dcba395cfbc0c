import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DataDirectoryLockedError } from "../../errors";
import { lockDataDirectory } from "./lock";

let directory = "";
const children: ChildProcess[] = [];
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process that tries to lock the directory, prints the outcome, and lives on until its stdin ends. */
async function locker() {
  const script = `
    import { lockDataDirectory } from ${JSON.stringify(new URL("./lock.ts", import.meta.url).href)};
    process.stdin.resume();
    try { lockDataDirectory(process.argv[1]); console.log("locked"); } catch (error) { console.log(error.message); }`;
  const child = spawn(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e", script, directory],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  children.push(child);
  const [answer] = await once(child.stdout, "data");
  const end = async (signal?: "SIGKILL") => {
    if (signal) child.kill(signal);
    else child.stdin.end();
    await once(child, "exit");
  };
  return { pid: child.pid ?? 0, answer: String(answer).trim(), end };
}

it("admits one process, and refuses the next with the holder's id and the next step", async () => {
  const first = await locker();
  expect(first.answer).toBe("locked");
  const second = await locker();
  expect(second.answer).toBe(
    `${directory} is in use by process ${first.pid}: stop that one, choose another DATA_DIR, or share a PostgreSQL (DATABASE_URL).`,
  );
  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryLockedError);
});

it.each(["SIGKILL", undefined] as const)("is free once its process has ended (%s)", async (signal) => {
  const first = await locker();
  await first.end(signal);
  expect((await locker()).answer).toBe("locked");
});

it("admits one when many find a dead holder", async () => {
  await (await locker()).end("SIGKILL");
  const answers = (await Promise.all(Array.from({ length: 6 }, locker))).map(({ answer }) => answer);
  expect(answers.filter((answer) => answer === "locked")).toHaveLength(1);
  expect(readdirSync(directory)).toHaveLength(1);
});

it("can be released and taken again within one process, never twice at a time", () => {
  for (let round = 0; round < 3; round++) {
    const unlock = lockDataDirectory(directory);
    expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryLockedError);
    unlock();
  }
});

it("is taken over when another process has the dead holder's id", () => {
  const holder = { pid: process.ppid, started: "an earlier time" };
  writeFileSync(join(directory, "pgdata.lock.41"), JSON.stringify(holder));
  lockDataDirectory(directory);
  expect(readdirSync(directory)).toEqual(["pgdata.lock.42"]);
});

it.each(["", "\0\0\0", '{"pid":'])("is taken over when a power cut damaged its file (%j)", (content) => {
  writeFileSync(join(directory, "pgdata.lock.1"), content);
  lockDataDirectory(directory);
});
