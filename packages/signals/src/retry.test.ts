import { expect, it } from "vitest";
import { retry } from "./retry";

const pauses = { baseMs: 1, maxMs: 1 };
const failing = (failures: number) => {
  let attempts = 0;
  return {
    count: () => attempts,
    work: async () => {
      attempts++;
      if (attempts <= failures) throw new Error(`failure ${attempts}`);
      return "done";
    },
  };
};

it("runs until it succeeds, and reports each failure before the next attempt", async () => {
  const { work, count } = failing(3);
  const reported: unknown[] = [];
  const onRetry = (error: unknown) => reported.push(`${error} at ${count()}`);
  expect(await retry(work, { ...pauses, retryable: () => true, onRetry })).toBe("done");
  expect(reported).toEqual([1, 2, 3].map((n) => `Error: failure ${n} at ${n}`));
});

it("fails with the last error when no attempt is left, or no time", async () => {
  const { work, count } = failing(9);
  await expect(retry(work, { ...pauses, maxAttempts: 2, retryable: () => true })).rejects.toThrow(
    "failure 2",
  );
  expect(count()).toBe(2);
  await expect(retry(work, { ...pauses, forMs: -1, retryable: () => true })).rejects.toThrow("failure 3");
});

it("fails immediately with an error that is not retryable", async () => {
  const { work } = failing(9);
  const retryable = (error: unknown) => !String(error).includes("2");
  await expect(retry(work, { ...pauses, retryable })).rejects.toThrow("failure 2");
});

it("ends a pause, and begins no attempt, when aborted", async () => {
  const controller = new AbortController();
  const { work, count } = failing(9);
  const onRetry = () => controller.abort(new Error("no longer wanted"));
  const hour = 3_600_000;
  const options = { baseMs: hour, maxMs: hour, signal: controller.signal, retryable: () => true, onRetry };
  await expect(retry(work, options)).rejects.toThrow("no longer wanted");
  expect(count()).toBe(1);
});
