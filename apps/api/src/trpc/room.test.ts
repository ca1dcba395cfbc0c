import { onBehalfOf } from "@grove/db";
import { Turns } from "@grove/db/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { Room } from "./room";

const overloaded = expect.objectContaining({
  code: "SERVICE_UNAVAILABLE",
  reason: "overloaded",
  details: { retryAfterSeconds: expect.any(Number) },
});

/** Work that goes on until it is ended. */
function held(room: Room, caller?: string) {
  let end = () => {};
  const done = room.workOn(
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

it("lets in as many as before while one caller's slow statements wait for each other", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const room = new Room({ worked: 100, workedLeast: 10 });
  const turns = new Turns(1);
  const slow = () =>
    onBehalfOf("ada", () =>
      room.workOn(async () => {
        const done = await turns.take();
        vi.advanceTimersByTime(400);
        done();
      }, "ada"),
    );
  await Promise.all(Array.from({ length: 200 }, slow));
  const ends = Array.from({ length: 99 }, () => held(room));
  room.require();
  await Promise.all(ends.map((end) => end()));
});

it("when it is full, refuses first the caller that holds most of it", async () => {
  const room = new Room({ worked: 4, workedLeast: 4 });
  const ends = [1, 2, 3, 4].map(() => held(room, "ada"));
  expect(() => room.require("ada")).toThrow(overloaded);
  room.require("bob");
  ends.push(held(room, "bob"));
  room.require("eve");
  ends.push(held(room, "bob"));
  // Half as much as the caller that holds most.
  expect(() => room.require("bob")).toThrow(overloaded);
  for (const caller of ["eve", "dan"]) {
    room.require(caller);
    ends.push(held(room, caller));
  }
  // Twice the size is the end.
  expect(() => room.require("fay")).toThrow(overloaded);
  await Promise.all(ends.map((end) => end()));
  room.require("ada");
});
