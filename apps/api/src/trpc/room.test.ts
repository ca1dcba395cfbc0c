import { expect, it, onTestFinished, vi } from "vitest";
import { Room } from "./room";

const overloaded = expect.objectContaining({
  code: "SERVICE_UNAVAILABLE",
  reason: "overloaded",
  details: { retryAfterSeconds: expect.any(Number) },
});

/** Work that goes on until it is ended. */
function held(room: Room) {
  let end = () => {};
  const done = room.workOn(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  return () => {
    end();
    return done;
  };
}

it("refuses a request while it is full, and nothing that it has let in", async () => {
  const room = new Room({ worked: 2, workedLeast: 1 });
  const ends = [held(room), held(room)];
  expect(() => room.require()).toThrow(overloaded);
  expect(await room.workOn(async () => "done")).toBe("done");
  expect(() => room.require()).toThrow(overloaded);
  await Promise.all(ends.map((end) => end()));
  room.require();
});

it("lets in fewer while work is slow, but as many as keep it busy, and more again when work is quick", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const room = new Room({ worked: 100, workedLeast: 10 });
  const work = async (ms: number) => void vi.advanceTimersByTime(ms);
  for (let n = 0; n < 200; n++) await room.workOn(() => work(501));
  const ends = Array.from({ length: 10 }, () => held(room));
  expect(() => room.require()).toThrow(overloaded);
  await room.workOn(() => work(499));
  room.require();
  await Promise.all(ends.map((end) => end()));
});
