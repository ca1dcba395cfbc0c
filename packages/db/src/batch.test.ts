import { expect, it } from "vitest";
import { batch } from "./batch";

/** A statement that ends on request, and records its items. */
function statement() {
  const given: string[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const run = (items: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      given.push([...items]);
      ends.push((error) => (error ? reject(error) : resolve(items.map((item) => item.toUpperCase()))));
    });
  return { given, ends, run, begun: (count: number) => expect.poll(() => given.length).toBe(count) };
}

it("makes one statement of the calls in one turn, and answers in order", async () => {
  const { given, ends, run, begun } = statement();
  const ask = batch(run, { most: 10 });
  const answers = Promise.all(["a", "b", "a"].map(ask));
  await begun(1);
  ends[0]?.();
  expect(await answers).toEqual(["A", "B", "A"]);
  expect(given).toEqual([["a", "b", "a"]]);
});

it("begins immediately when idle, and then collects the calls of one turn", async () => {
  const { given, ends, run, begun } = statement();
  const ask = batch(run, { most: 10 });
  const answers = [ask("a")];
  for (const item of ["b", "c"]) {
    // Later, and yet in the same turn.
    for (let step = 0; step < 10; step++) await Promise.resolve();
    answers.push(ask(item));
  }
  expect(given).toEqual([["a"]]);
  await begun(2);
  for (const end of ends) end();
  expect(await Promise.all(answers)).toEqual(["A", "B", "C"]);
  expect(given).toEqual([["a"], ["b", "c"]]);
});

it("asks again for a later call: nothing is cached", async () => {
  const { given, ends, run, begun } = statement();
  const ask = batch(run, { most: 10 });
  for (const round of [1, 2]) {
    const answer = ask("a");
    await begun(round);
    ends[round - 1]?.();
    expect(await answer).toBe("A");
  }
  expect(given).toEqual([["a"], ["a"]]);
});

it("collects calls while the maximum of statements is in flight", async () => {
  const { given, ends, run, begun } = statement();
  const ask = batch(run, { most: 10, inFlight: 1 });
  const answers = [ask("a")];
  await begun(1);
  for (const item of ["b", "c"]) {
    answers.push(ask(item));
    // Each in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(given).toEqual([["a"]]);
  ends[0]?.();
  await begun(2);
  ends[1]?.();
  expect(await Promise.all(answers)).toEqual(["A", "B", "C"]);
  expect(given).toEqual([["a"], ["b", "c"]]);
});

it("gives no statement more items than it may take", async () => {
  const { given, ends, run, begun } = statement();
  const ask = batch(run, { most: 2, inFlight: 1 });
  const answers = Promise.all(["a", "b", "c", "d", "e"].map(ask));
  for (const round of [1, 2, 3]) {
    await begun(round);
    ends[round - 1]?.();
  }
  expect(await answers).toEqual(["A", "B", "C", "D", "E"]);
  expect(given).toEqual([["a", "b"], ["c", "d"], ["e"]]);
});

it("tries each item alone when one is at fault, and fails for that one", async () => {
  const given: string[][] = [];
  const ask = batch(
    async (items: readonly string[]) => {
      given.push([...items]);
      if (items.includes("bad")) throw new Error("bad");
      return items.map((item) => item.toUpperCase());
    },
    { most: 10, inFlight: 1 },
  );
  const settled = await Promise.allSettled(["a", "bad", "b"].map(ask));
  expect(settled.map((one) => (one.status === "fulfilled" ? one.value : one.reason.message))).toEqual([
    "A",
    "bad",
    "B",
  ]);
  expect(given).toEqual([["a", "bad", "b"], ["a"], ["bad"], ["b"]]);
  // The failure holds nothing up.
  expect(await ask("c")).toBe("C");
});

it("repeats nothing when the connection was lost: the statement may have taken effect", async () => {
  const { given, ends, run, begun } = statement();
  const ask = batch(run, { most: 10 });
  const answers = Promise.allSettled(["a", "b"].map(ask));
  await begun(1);
  ends[0]?.(Object.assign(new Error("terminating connection"), { code: "57P01" }));
  expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(given).toEqual([["a", "b"]]);
});

it("lets other batches begin while it tries each item alone", async () => {
  const { given, ends, run, begun } = statement();
  const ask = batch(run, { most: 10, inFlight: 1 });
  const together = [ask("a"), ask("b")];
  await begun(1);
  const later = ask("c");
  ends[0]?.(new Error("one of them"));
  await begun(3);
  expect(given.slice(1).flat().sort()).toEqual(["a", "c"]);
  ends[2]?.();
  ends[1]?.();
  await begun(4);
  ends[3]?.();
  expect(await Promise.all([...together, later])).toEqual(["A", "B", "C"]);
});
