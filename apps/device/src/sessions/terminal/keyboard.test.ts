import { expect, it } from "vitest";
import { Keyboard } from "./keyboard";

it("Return at the end of a text is pressed after the text; nothing is typed in between or changed", async () => {
  const sent: string[] = [];
  const keyboard = new Keyboard((text) => sent.push(text));
  const texts = ["yes\r", "\r", "no", "two\rlines\r", "\r\r", "\x1b[B", "one\n"];
  await Promise.all(texts.map((text) => keyboard.type(text)));
  expect(sent).toEqual(["yes", "\r", "\r", "no", "two\rlines", "\r", "\r", "\r", "\x1b[B", "one\n"]);
});

it("writes Escape and the key after it together, also behind other text", async () => {
  const sent: string[] = [];
  const keyboard = new Keyboard((text) => sent.push(text));
  const texts = ["\x1b\r", "draft\x1b\r", "\x1b\x1b\r", "\x1bb", "a\x1b[1;2A", "\x1b\r\r"];
  await Promise.all(texts.map((text) => keyboard.type(text)));
  expect(sent).toEqual(["\x1b\r", "draft\x1b\r", "\x1b\x1b\r", "\x1bb", "a\x1b[1;2A", "\x1b\r", "\r"]);
});
