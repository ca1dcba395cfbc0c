import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { batch, batchedStatement } from "./batch";
import { newId } from "./ids";
import { useTestDatabase } from "./testing";

const { db } = await useTestDatabase();

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
  const ask = batch(run, { maxItems: 10 });
  const answers = Promise.all(["a", "b", "a"].map(ask));
  await begun(1);
  ends[0]?.();
  expect(await answers).toEqual(["A", "B", "A"]);
  expect(given).toEqual([["a", "b", "a"]]);
});

it("begins immediately when idle, and then collects the calls of one turn", async () => {
  const { given, ends, run, begun } = statement();
  const ask = batch(run, { maxItems: 10 });
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
  const ask = batch(run, { maxItems: 10 });
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
  const ask = batch(run, { maxItems: 10, inFlight: 1 });
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
  const ask = batch(run, { maxItems: 2, inFlight: 1 });
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
    { maxItems: 10, inFlight: 1 },
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
  const ask = batch(run, { maxItems: 10 });
  const answers = Promise.allSettled(["a", "b"].map(ask));
  await begun(1);
  ends[0]?.(Object.assign(new Error("terminating connection"), { code: "57P01" }));
  expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(given).toEqual([["a", "b"]]);
});

it("lets other batches begin while it tries each item alone", async () => {
  const { given, ends, run, begun } = statement();
  const ask = batch(run, { maxItems: 10, inFlight: 1 });
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

describe("a batched statement", () => {
  interface Row {
    id: string;
    amount: number;
    at: number | null;
    open: boolean;
    words?: string[];
    data?: unknown;
  }
  type Answer = Row & { n: number; together: number };

  /** Answers each open row with itself. */
  const echo = batchedStatement<Row, Answer>(
    db,
    { id: "uuid", amount: "integer", at: "float8", open: "boolean", words: "text[]", data: "jsonb" },
    (given) => sql<Answer>`
      with ${given} select given.*, (select count(*)::integer from given) as together from given where open`,
  );
  const rows = (): [Row, Row, Row] => [
    { id: newId(), amount: 1, at: 0.5, open: true, words: ["a", 'b,"c'], data: { a: [1, null], ü: "'" } },
    { id: newId(), amount: 2, at: null, open: true },
    { id: newId(), amount: 3, at: 7, open: true, words: [], data: "text" },
  ];

  it("gives a single row and many the same answers", async () => {
    const asked = rows();
    for (const row of asked) {
      const { n, together, ...answer } = (await echo(row)) ?? {};
      expect({ n, together, answer }).toEqual({
        n: 0,
        together: 1,
        answer: { ...row, words: row.words ?? null, data: row.data ?? null },
      });
    }
    const answers = await Promise.all(asked.map(echo));
    expect(answers).toEqual(
      asked.map((row, n) => ({ ...row, words: row.words ?? null, data: row.data ?? null, n, together: 3 })),
    );
  });

  it("takes the rows in the order of their ids, and answers each call with its own", async () => {
    const [first, second, third] = rows();
    const answers = await Promise.all([third, first, second].map(echo));
    expect(answers.map((answer) => [answer?.id, answer?.n])).toEqual([
      [third.id, 2],
      [first.id, 0],
      [second.id, 1],
    ]);
  });

  it("answers undefined for a row without an answer, alone or among others", async () => {
    const [first, second] = rows();
    const closed = { ...second, open: false };
    expect(await echo(closed)).toBeUndefined();
    const [answer, none] = await Promise.all([echo(first), echo(closed)]);
    expect([answer?.id, none]).toEqual([first.id, undefined]);
  });

  it("gives no statement more than 32 rows", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => echo(rows()[1])));
    expect(answers.map((answer) => answer?.together)).toEqual([...Array(32).fill(32), ...Array(8).fill(8)]);
  });
});
