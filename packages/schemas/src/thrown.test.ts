import { expect, it } from "vitest";
import { messageOf, toError } from "./thrown";

it("takes the message of an error", () => {
  expect(messageOf(new TypeError("no id"))).toBe("no id");
});

it.each([
  ["a text", "a text"],
  [undefined, "undefined"],
  [7, "7"],
])("makes a message and an error of %s, which is not an error", (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
  expect(toError(thrown)).toEqual(new Error(message));
});

it("returns an error itself, with its fields", () => {
  const error = new RangeError("too large");
  expect(toError(error)).toBe(error);
});
