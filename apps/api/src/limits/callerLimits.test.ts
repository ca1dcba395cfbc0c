import { GroveError } from "@grove/auth";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Bounds, CallerLimits } from "./callerLimits";

function callersWith(bounds: Partial<Bounds>): CallerLimits {
  const callers = new CallerLimits(bounds);
  onTestFinished(() => callers.close());
  return callers;
}

/** Calls that stay in progress until they are released. */
function held(callers: CallerLimits, caller: string, characters = 0) {
  let begun = false;
  let go = () => {};
  const answer = callers.runInTurn(caller, characters, () => {
    begun = true;
    return new Promise<void>((resolve) => {
      go = resolve;
    });
  });
  answer.catch(() => undefined);
  return { answer, begun: () => begun, go: () => go() };
}

const refused = { code: "TOO_MANY_REQUESTS", reason: "too_many_in_progress" };

describe("calls of one caller", () => {
  it("run up to the limit at a time, and then one after the other in order of arrival", async () => {
    const callers = callersWith({ running: 2 });
    const calls = [1, 2, 3, 4].map(() => held(callers, "ada"));
    const begun = () => calls.map((call) => call.begun());
    expect(begun()).toEqual([true, true, false, false]);
    calls[1]?.go();
    await calls[1]?.answer;
    await expect.poll(begun).toEqual([true, true, true, false]);
    for (const call of calls) {
      await expect.poll(call.begun).toBe(true);
      call.go();
      await call.answer;
    }
  });

  it("do not hold up other callers'", async () => {
    const callers = callersWith({ running: 1 });
    const first = held(callers, "ada");
    await callers.runInTurn("bob", 0, async () => undefined);
    first.go();
  });

  it("pass their turn on when they fail", async () => {
    const callers = callersWith({ running: 1 });
    const failing = callers.runInTurn("ada", 0, () => Promise.reject(new Error("no")));
    const next = callers.runInTurn("ada", 0, async () => "yes");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });

  it("are refused when too many wait, or hold too much", async () => {
    const callers = callersWith({ running: 1, queued: 2, queuedCharacters: 100 });
    const first = held(callers, "ada");
    held(callers, "ada", 60);
    await expect(held(callers, "ada", 50).answer).rejects.toMatchObject(refused);
    held(callers, "ada", 40);
    const error = await held(callers, "ada").answer.catch((cause: unknown) => cause);
    expect(error).toMatchObject(refused);
    expect((error as GroveError).details).toEqual({ retryAfterSeconds: 1, queued: 2 });
    first.go();
  });

  it("are refused when they have waited too long", async () => {
    const callers = callersWith({ running: 1, maxWaitMs: 0 });
    const first = held(callers, "ada");
    await expect(held(callers, "ada").answer).rejects.toMatchObject(refused);
    first.go();
    await first.answer;
    await callers.runInTurn("ada", 0, async () => undefined);
  });

  it("are refused while too many answers are unread", async () => {
    const callers = callersWith({ unread: 100 });
    const read = callers.trackUnread("ada", 101);
    await expect(callers.runInTurn("ada", 0, async () => undefined)).rejects.toBeInstanceOf(GroveError);
    read();
    await callers.runInTurn("ada", 0, async () => undefined);
  });
});

it.each(["waiting", "streams"] as const)("bounds %s by themselves", async (what) => {
  const callers = callersWith({ running: 1, [what]: 2 });
  const open = () => {
    if (what === "streams") return callers.openStream("ada");
    let end = () => {};
    const call = callers.runWaiting("ada", () => new Promise<void>((resolve) => (end = resolve)));
    call.catch(() => undefined);
    return () => end();
  };
  const tooMany = () =>
    what === "streams"
      ? Promise.resolve().then(() => callers.openStream("ada"))
      : callers.runWaiting("ada", async () => () => undefined);
  const ends = [open(), open()];
  await expect(tooMany()).rejects.toMatchObject(refused);
  await callers.runInTurn("ada", 0, async () => undefined);
  ends[0]?.();
  await expect
    .poll(() =>
      tooMany().then(
        () => "open",
        () => "refused",
      ),
    )
    .toBe("open");
});
