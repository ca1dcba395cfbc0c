import { expect, it } from "vitest";
import { awaited, script } from "../testing/script";
import { keepRunning } from "./keepRunning";
import { type Program, startProgram } from "./program";

it("starts a program again, with growing waits, until it is stopped", async () => {
  const made = await script('console.error("no"); process.exitCode = 1;');
  const started: Program[] = [];
  const ends: [string, number, number][] = [];
  const enough = awaited();
  const running = keepRunning({
    start: () => {
      const program = startProgram({ ...made, env: {} });
      started.push(program);
      return program;
    },
    onEnd: ({ message }, waitMs, failures) => {
      ends.push([message, waitMs, failures]);
      if (ends.length === 4) enough.happened();
      return true;
    },
    timings: { baseMs: 1, maxMs: 4 },
  });
  await enough.promise;
  await running.stop(20_000);
  expect(ends.slice(0, 4)).toEqual([
    ["no", 1, 1],
    ["no", 2, 2],
    ["no", 4, 3],
    ["no", 4, 4],
  ]);
  expect(started.every(({ ended }) => ended.aborted)).toBe(true);
});

it("starts again with the first wait after a good run, and stops a running program", async () => {
  const failing = await script("process.exitCode = 1;");
  const lasting = await script("setInterval(() => {}, 60_000); console.log('{\"level\":30}');");
  const ready = awaited();
  const waits: [number, number][] = [];
  let starts = 0;
  const running = keepRunning({
    start: () =>
      ++starts < 3
        ? startProgram({ ...failing, env: {} })
        : startProgram({ ...lasting, env: {}, onRecord: () => ready.happened() }),
    onEnd: (_ended, waitMs, failures) => waits.push([waitMs, failures]) > 0,
    timings: { baseMs: 1, wellAfterMs: 0 },
  });
  await ready.promise;
  await running.stop(20_000);
  expect(waits).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

it("does not start a program again when its exit code forbids it", async () => {
  const made = await script("process.exitCode = 4;");
  const ended = awaited();
  let starts = 0;
  const running = keepRunning({
    start: () => {
      starts++;
      return startProgram({ ...made, env: {} });
    },
    onEnd: ({ code }) => {
      ended.happened();
      return code !== 4;
    },
    timings: { baseMs: 1 },
  });
  await ended.promise;
  await running.stop(20_000);
  expect(starts).toBe(1);
});
