import { expect, it } from "vitest";
import { Keyboard } from "./keyboard";

it("a return at a text's end is pressed after it; nothing comes in between or is changed", async () => {
  const sent: string[] = [];
  const keyboard = new Keyboard((text) => sent.push(text));
  const texts = ["yes\r", "\r", "no", "two\rlines\r", "\r\r", "\x1b[B", "one\n"];
  await Promise.all(texts.map((text) => keyboard.type(text)));
  expect(sent).toEqual(["yes", "\r", "\r", "no", "two\rlines", "\r", "\r", "\r", "\x1b[B", "one\n"]);
});
