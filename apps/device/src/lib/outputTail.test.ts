import { expect, it } from "vitest";
import { OutputTail } from "./outputTail";

it("keeps the last bytes, from the beginning of a character on", () => {
  const tail = new OutputTail(10);
  for (let n = 0; n < 100; n++) tail.add("é€");
  expect(tail.text).toBe("é€é€");
});

it("removes escape sequences that came in several chunks, and what a database does not store", () => {
  const tail = new OutputTail(100);
  for (const chunk of ["\u001b[3", "1mred\u001b[0m\r\n", "10 %\r20 %\n", "\0\ud800\u202e"]) tail.add(chunk);
  expect(tail.text).toBe("red\n10 %\n20 %\n\u2400\ufffd\u202e");
});
