import fc from "fast-check";
import { expect, it } from "vitest";
import { cut, InputQueue, type Stuck } from "./input";

/** A queue whose calls are answered by hand. */
function queue() {
  const calls: { text: string; succeed: () => void; fail: (why?: string) => void }[] = [];
  const said: (Stuck | undefined)[] = [];
  const options = {
    send: (text: string) =>
      new Promise<void>((resolve, reject) => {
        calls.push({ text, succeed: resolve, fail: (why = "no answer") => reject(new Error(why)) });
      }),
    wasRefused: (error: unknown) => (error as Error).message === "offline",
  };
  const input = new InputQueue(options);
  input.follow((stuck) => void said.push(stuck));
  const sent = () => calls.map(({ text }) => text);
  return { input, calls, said, sent };
}

it("sends one call at a time, and joins what is typed meanwhile", async () => {
  const { input, calls, sent } = queue();
  for (const key of "hello") input.type(key);
  expect(sent()).toEqual(["h"]);
  calls[0]?.succeed();
  await expect.poll(sent).toEqual(["h", "ello"]);
});

it("never repeats a call that failed, and stops until a person decides", async () => {
  const { input, calls, said, sent } = queue();
  input.type("a");
  input.type("b");
  calls[0]?.fail();
  await expect.poll(() => said.at(-1)).toMatchObject({ unsure: "a", rest: "b" });
  input.type("c");
  expect(said.at(-1)).toMatchObject({ unsure: "a", rest: "bc" });
  expect(sent()).toEqual(["a"]);
  input.resume("rest");
  expect(sent()).toEqual(["a", "bc"]);
  expect(said.at(-1)).toBeUndefined();
});

it("keeps a text that was refused, in its order, until a person decides", async () => {
  const { input, calls, said, sent } = queue();
  input.type("a");
  input.type("b");
  calls[0]?.fail("offline");
  await expect.poll(() => said.at(-1)).toMatchObject({ unsure: "", rest: "ab" });
  input.type("c");
  input.resume("rest");
  expect(sent()).toEqual(["a", "abc"]);
});

it("sends what was typed before the page was left, and tells the next page what has not arrived", async () => {
  const { input, calls, said, sent } = queue();
  for (const key of "ab") input.type(key);
  const away: (Stuck | undefined)[] = [];
  expect(input.follow((stuck) => void away.push(stuck))).toBeUndefined();
  expect(input.isDone).toBe(false);
  calls[0]?.succeed();
  await expect.poll(sent).toEqual(["a", "b"]);
  calls[1]?.fail("offline");
  await expect.poll(() => away).toMatchObject([{ unsure: "", rest: "b" }]);
  expect(said).toEqual([]);
  expect(input.isDone).toBe(false);
  expect(input.follow(() => undefined)).toMatchObject({ unsure: "", rest: "b" });
  input.resume("rest");
  calls[2]?.succeed();
  await expect.poll(() => input.isDone).toBe(true);
  expect(sent()).toEqual(["a", "b", "b"]);
});

it("forgets the rest if a person says so", async () => {
  const { input, calls, said, sent } = queue();
  input.type("a");
  input.type("b");
  calls[0]?.fail();
  await expect.poll(() => said.length).toBe(1);
  input.resume("nothing");
  input.type("c");
  expect(sent()).toEqual(["a", "c"]);
});

it("leaves out NUL", () => {
  const { input, sent } = queue();
  input.type("\0");
  input.type("\0x");
  expect(sent()).toEqual(["x"]);
});

it("cuts no character in half", () => {
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
