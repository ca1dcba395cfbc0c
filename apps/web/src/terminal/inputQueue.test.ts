import fc from "fast-check";
import { expect, it } from "vitest";
import { cut, InputQueue, type Stuck } from "./inputQueue";

/** A queue whose calls are settled by the test. */
function queue() {
  const calls: { text: string; succeed: () => void; fail: (why?: string) => void }[] = [];
  const reports: (Stuck | undefined)[] = [];
  const options = {
    send: (text: string) =>
      new Promise<void>((resolve, reject) => {
        calls.push({ text, succeed: resolve, fail: (why = "no answer") => reject(new Error(why)) });
      }),
    wasRefused: (error: unknown) => (error as Error).message === "offline",
  };
  const input = new InputQueue(options);
  input.follow((stuck) => void reports.push(stuck));
  const sent = () => calls.map(({ text }) => text);
  return { input, calls, reports, sent };
}

it("sends one call at a time, and joins what is typed meanwhile", async () => {
  const { input, calls, sent } = queue();
  for (const key of "hello") input.type(key);
  expect(sent()).toEqual(["h"]);
  calls[0]?.succeed();
  await expect.poll(sent).toEqual(["h", "ello"]);
});

it("never repeats a failed call, and stops until the user decides", async () => {
  const { input, calls, reports, sent } = queue();
  input.type("a");
  input.type("b");
  calls[0]?.fail();
  await expect.poll(() => reports.at(-1)).toMatchObject({ unsure: "a", rest: "b" });
  input.type("c");
  expect(reports.at(-1)).toMatchObject({ unsure: "a", rest: "bc" });
  expect(sent()).toEqual(["a"]);
  input.resume("rest");
  expect(sent()).toEqual(["a", "bc"]);
  expect(reports.at(-1)).toBeUndefined();
});

it("keeps a refused text, in order, until the user decides", async () => {
  const { input, calls, reports, sent } = queue();
  input.type("a");
  input.type("b");
  calls[0]?.fail("offline");
  await expect.poll(() => reports.at(-1)).toMatchObject({ unsure: "", rest: "ab" });
  input.type("c");
  input.resume("rest");
  expect(sent()).toEqual(["a", "abc"]);
});

it("sends text after its page was left, and reports to the next page what did not arrive", async () => {
  const { input, calls, reports, sent } = queue();
  for (const key of "ab") input.type(key);
  const away: (Stuck | undefined)[] = [];
  expect(input.follow((stuck) => void away.push(stuck))).toBeUndefined();
  expect(input.isDone).toBe(false);
  calls[0]?.succeed();
  await expect.poll(sent).toEqual(["a", "b"]);
  calls[1]?.fail("offline");
  await expect.poll(() => away).toMatchObject([{ unsure: "", rest: "b" }]);
  expect(reports).toEqual([]);
  expect(input.isDone).toBe(false);
  expect(input.follow(() => undefined)).toMatchObject({ unsure: "", rest: "b" });
  input.resume("rest");
  calls[2]?.succeed();
  await expect.poll(() => input.isDone).toBe(true);
  expect(sent()).toEqual(["a", "b", "b"]);
});

it("discards the rest if the user chooses so", async () => {
  const { input, calls, reports, sent } = queue();
  input.type("a");
  input.type("b");
  calls[0]?.fail();
  await expect.poll(() => reports.length).toBe(1);
  input.resume("nothing");
  input.type("c");
  expect(sent()).toEqual(["a", "c"]);
});

it("drops NUL", () => {
  const { input, sent } = queue();
  input.type("\0");
  input.type("\0x");
  expect(sent()).toEqual(["x"]);
});

it("never splits a character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "👍"), minLength: 6_000, maxLength: 12_000 }),
      (text) => {
        const [first, rest] = cut(text);
        expect(first + rest).toBe(text);
        expect(first.length).toBeLessThanOrEqual(10_000);
        expect(first.isWellFormed() && rest.isWellFormed()).toBe(true);
      },
    ),
    { numRuns: 20 },
  );
});
