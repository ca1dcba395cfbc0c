import { sql } from "kysely";
import { expect, it, onTestFinished, vi } from "vitest";
import { ConnectionTimeoutError } from "../errors";
import { useTestDatabase } from "../testing";
import { FairQueue, ownWaitMs, runAsCaller } from "./fairQueue";

const { slow } = await useTestDatabase();

it("gives each waiting caller one turn before another one has their second", async () => {
  const turns = new FairQueue(1);
  const order: string[] = [];
  const release = await turns.take();
  const take = (name: string) =>
    runAsCaller(name, async () => {
      const done = await turns.take();
      order.push(name);
      done();
    });
  const taken = ["ada", "ada", "ada", "bob", "bob", "eve"].map(take);
  release();
  await Promise.all(taken);
  expect(order).toEqual(["ada", "bob", "eve", "ada", "bob", "ada"]);
});

it("gives a caller that begins to wait during another one's turn the next turn", async () => {
  const turns = new FairQueue(1);
  const order: string[] = [];
  const take = (name: string, during = async () => {}) =>
    runAsCaller(name, async () => {
      const done = await turns.take();
      order.push(name);
      await during();
      done();
    });
  let bob: Promise<void> | undefined;
  const first = take("ada", async () => {
    bob = take("bob");
  });
  await Promise.all([first, take("ada"), take("ada")]);
  await bob;
  expect(order).toEqual(["ada", "bob", "ada", "ada"]);
});

it("lends one caller no more than their share, though others are free", async () => {
  const turns = new FairQueue(2, 1);
  const first = await runAsCaller("ada", () => turns.take());
  let isSecondLent = false;
  const second = runAsCaller("ada", () => turns.take()).then((done) => {
    isSecondLent = true;
    return done;
  });
  const others = await runAsCaller("bob", () => turns.take());
  expect(isSecondLent).toBe(false);
  first();
  (await second)();
  others();
  // A connection that is given back twice counts once.
  others();
  const held = [await runAsCaller("ada", () => turns.take()), await runAsCaller("bob", () => turns.take())];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const third = expect(runAsCaller("eve", () => turns.take())).rejects.toBeInstanceOf(ConnectionTimeoutError);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await third;
  for (const done of held) done();
});

it("measures how long a caller waits for their own statements, and not how long for those of others", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = new FairQueue(1);
  const waitMs = (name: string) =>
    runAsCaller(name, async () => {
      const done = await turns.take();
      const waited = ownWaitMs();
      vi.advanceTimersByTime(100);
      done();
      return waited;
    });
  expect(await Promise.all(["ada", "ada", "bob", "ada"].map(waitMs))).toEqual([0, 200, 0, 300]);
  expect(ownWaitMs()).toBe(0);
});

it("runs one slow statement of a caller at a time, and another's between them", async () => {
  const order: string[] = [];
  const statement = (name: string) =>
    runAsCaller(name, () => sql`select pg_sleep(0.05)`.execute(slow)).then(() => order.push(name));
  await Promise.all([...Array.from({ length: 6 }, () => statement("ada")), statement("bob")]);
  expect(order.indexOf("bob")).toBeLessThan(3);
});

it("frees the turn of a statement that fails", async () => {
  const fail = () => runAsCaller("ada", () => sql`select 1 / 0`.execute(slow));
  for (let n = 0; n < 3; n++) await expect(fail()).rejects.toThrow("division by zero");
  await runAsCaller("ada", () => sql`select 1`.execute(slow));
});
