import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it, onTestFinished } from "vitest";
import { keepLogs } from "./keepLogs";
import { Program } from "./program";

it("keeps the output of each program, also of one that was killed", async () => {
  const program = new Program(
    [process.execPath, "-e", 'console.log("hello"); setInterval(() => {}, 1e6)'],
    process.env,
  );
  const output = program.start();
  await until(() => output().includes("hello"));
  await program.kill();
  const directory = await keepLogs({ api: [program], device: [{ output: "" }] });
  onTestFinished(() => rm(directory, { recursive: true }));
  expect((await readdir(directory)).sort()).toEqual(["api 0.log", "device 0.log"]);
  expect(await readFile(join(directory, "api 0.log"), "utf8")).toBe("hello\n");
});
