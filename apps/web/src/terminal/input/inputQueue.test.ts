import { messageOf } from "@grove/schemas";
import fc from "fast-check";
import { expect, it } from "vitest";
import { cut, type FailedInput, InputQueue } from "./inputQueue";

/** A queue whose calls are settled by the test. */
function queue() {
  const calls: { text: string; succeed: () => void; fail: (why?: string) => void }[] = [];
  const reports: (FailedInput | undefined)[] = [];
  const options = {
    send: (text: string) =>
      new Promise<void>((resolve, reject) => {
        calls.push({ text, succeed: resolve, fail: (why = "no answer") => reject(new Error(why)) });
      }),
    wasRefused: (error: unknown) => messageOf(error) === "offline",
  };
  const input = new InputQueue(options);
  input.follow((failedInput) => void reports.push(failedInput));
  const sent = () => calls.map(({ text }) => text);
  return { input, calls, reports, sent };
}

it("sends one call at a time, and joins the text typed in the meantime", async () => {
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
  await expect.poll(() => reports.at(-1)).toMatchObject({ unconfirmed: "a", unsent: "b" });
  input.type("c");
  expect(reports.at(-1)).toMatchObject({ unconfirmed: "a", unsent: "bc" });
  expect(sent()).toEqual(["a"]);
  input.resume("send");
  expect(sent()).toEqual(["a", "bc"]);
  expect(reports.at(-1)).toBeUndefined();
});

it("keeps a refused text, in order, until the user decides", async () => {
  const { input, calls, reports, sent } = queue();
  input.type("a");
  input.type("b");
  calls[0]?.fail("offline");
  await expect.poll(() => reports.at(-1)).toMatchObject({ unconfirmed: "", unsent: "ab" });
  input.type("c");
  input.resume("send");
  expect(sent()).toEqual(["a", "abc"]);
});

it("sends text after its page was left, and reports to the next page what did not arrive", async () => {
  const { input, calls, reports, sent } = queue();
  for (const key of "ab") input.type(key);
  const reportsElsewhere: (FailedInput | undefined)[] = [];
  expect(input.follow((failedInput) => void reportsElsewhere.push(failedInput))).toBeUndefined();
  expect(input.isDone).toBe(false);
  calls[0]?.succeed();
  await expect.poll(sent).toEqual(["a", "b"]);
  calls[1]?.fail("offline");
  await expect.poll(() => reportsElsewhere).toMatchObject([{ unconfirmed: "", unsent: "b" }]);
  expect(reports).toEqual([]);
  expect(input.isDone).toBe(false);
  expect(input.follow(() => undefined)).toMatchObject({ unconfirmed: "", unsent: "b" });
  input.resume("send");
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
  input.resume("discard");
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
