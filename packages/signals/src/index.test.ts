import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { isTimeLimit, linkedSignal, timeoutSignal, untilAborted } from "./index";

const never = new Promise<never>(() => {});

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Lets a turn of the event loop end, and then collects garbage. */
const collect = () =>
  new Promise<void>((resolve) => {
    setImmediate(() => {
      collectGarbage();
      resolve();
    });
  });

it("is aborted after its time", async () => {
  const signal = timeoutSignal(1);
  await once(signal, "abort");
  expect(signal.reason).toMatchObject({ name: "TimeoutError", message: "more than 1 ms" });
  expect(isTimeLimit(signal)).toBe(true);
});

it("is aborted after its time even if only AbortSignal.any refers to it and garbage is collected", async () => {
  const outer = new AbortController();
  const aborted = once(AbortSignal.any([outer.signal, timeoutSignal(300)]), "abort");
  for (let round = 0; round < 5; round++) await collect();
  await aborted;
});

it("is aborted with the outer signal, also one that was aborted before", async () => {
  const outer = new AbortController();
  const signal = timeoutSignal(60_000, outer.signal);
  expect(signal.aborted).toBe(false);
  outer.abort("enough");
  expect([signal.reason, timeoutSignal(60_000, outer.signal).reason]).toEqual(["enough", "enough"]);
  expect(isTimeLimit(signal)).toBe(false);
});

it("is aborted by the controller that it is given", () => {
  const controller = new AbortController();
  const signal = linkedSignal(new AbortController().signal, controller);
  controller.abort("done");
  expect(signal.reason).toBe("done");
});

it("lets any number of calls share an outer signal without a warning", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  const outer = new AbortController();
  for (let call = 0; call < 50; call++) timeoutSignal(60_000, outer.signal);
  // A warning is emitted in a later turn of the event loop.
  await collect();
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

it("waits for a promise until the signal is aborted", async () => {
  const controller = new AbortController();
  expect(await untilAborted(Promise.resolve(1), controller.signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error("broken")), controller.signal)).rejects.toThrow(
    "broken",
  );
  const waiting = untilAborted(never, controller.signal);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(untilAborted(Promise.resolve(1), controller.signal)).rejects.toThrow("enough");
});

it("handles the later rejection of a promise that it no longer waits for", async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  onTestFinished(() => void process.off("unhandledRejection", onUnhandled));
  let fail: (error: Error) => void = () => {};
  const late = new Promise<never>((_, reject) => {
    fail = reject;
  });
  await expect(untilAborted(late, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  fail(new Error("too late"));
  // Node looks for unhandled rejections at the end of a turn of the event loop.
  await new Promise(setImmediate);
  expect(unhandled).toEqual([]);
});
