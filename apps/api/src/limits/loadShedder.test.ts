import { runAsCaller } from "@grove/db";
import { FairQueue } from "@grove/db/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { LoadShedder } from "./loadShedder";

const overloaded = expect.objectContaining({
  code: "SERVICE_UNAVAILABLE",
  reason: "overloaded",
  details: { retryAfterSeconds: expect.any(Number) },
});

/** Starts work that continues until the returned function ends it. */
function held(loadShedder: LoadShedder, caller?: string) {
  let end = () => {};
  const done = loadShedder.workOn(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    caller,
  );
  return () => {
    end();
    return done;
  };
}

it("refuses a request while it is full, and nothing that it has admitted", async () => {
  const loadShedder = new LoadShedder({ maxConcurrency: 2, minConcurrency: 1 });
  const ends = [held(loadShedder), held(loadShedder)];
  expect(() => loadShedder.require()).toThrow(overloaded);
  expect(await loadShedder.workOn(async () => "done")).toBe("done");
  expect(() => loadShedder.require()).toThrow(overloaded);
  await Promise.all(ends.map((end) => end()));
  loadShedder.require();
});

it("admits fewer while work is slow, but enough to keep busy, and more again when work is fast", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const loadShedder = new LoadShedder({ maxConcurrency: 100, minConcurrency: 10 });
  const work = async (ms: number) => void vi.advanceTimersByTime(ms);
  for (let n = 0; n < 200; n++) await loadShedder.workOn(() => work(501));
  const ends = Array.from({ length: 10 }, () => held(loadShedder));
  expect(() => loadShedder.require()).toThrow(overloaded);
  await loadShedder.workOn(() => work(499));
  loadShedder.require();
  await Promise.all(ends.map((end) => end()));
});

it("admits as many as before while one caller's slow statements wait for each other", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const loadShedder = new LoadShedder({ maxConcurrency: 100, minConcurrency: 10 });
  const turns = new FairQueue(1);
  const slow = () =>
    runAsCaller("ada", () =>
      loadShedder.workOn(async () => {
        const done = await turns.take();
        vi.advanceTimersByTime(400);
        done();
      }, "ada"),
    );
  await Promise.all(Array.from({ length: 200 }, slow));
  const ends = Array.from({ length: 99 }, () => held(loadShedder));
  loadShedder.require();
  await Promise.all(ends.map((end) => end()));
});

it("when it is full, refuses first the caller that holds most of it", async () => {
  const loadShedder = new LoadShedder({ maxConcurrency: 4, minConcurrency: 4 });
  const ends = [1, 2, 3, 4].map(() => held(loadShedder, "ada"));
  expect(() => loadShedder.require("ada")).toThrow(overloaded);
  loadShedder.require("bob");
  ends.push(held(loadShedder, "bob"));
  loadShedder.require("eve");
  ends.push(held(loadShedder, "bob"));
  // This caller has half as much work in progress as the busiest one.
  expect(() => loadShedder.require("bob")).toThrow(overloaded);
  for (const caller of ["eve", "dan"]) {
    loadShedder.require(caller);
    ends.push(held(loadShedder, caller));
  }
  // Twice the limit is the maximum.
  expect(() => loadShedder.require("fay")).toThrow(overloaded);
  await Promise.all(ends.map((end) => end()));
  loadShedder.require("ada");
});
