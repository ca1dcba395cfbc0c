import { expect, it } from "vitest";
import { lastLineOf } from "./lastLine";

const ESC = "\u001b";

it.each([
  ["the last line with text", "one\r\ntwo\r\n\r\n", { line: "two\n", continues: false }],
  ["a line that the next output may continue", "one\ntw", { line: "tw", continues: false }],
  ["the rest of the line before", "o", { line: "o", continues: true }],
  ["a line break alone", "\r\n", { line: "\n", continues: true }],
  ["a space alone", " ", { line: " ", continues: true }],
  [
    "no colours, titles and links",
    `${ESC}]0;title\u0007${ESC}[1;31mred${ESC}[0m ${ESC}]8;;https://a.example${ESC}\\link${ESC}]8;;${ESC}\\`,
    { line: "red link", continues: true },
  ],
  [
    "what is drawn last, elsewhere on the screen",
    `first${ESC}[4;1Hsecond${ESC}[2Cword`,
    { line: "second word", continues: false },
  ],
  ["the text that replaced a progress line", "10 %\r20 %", { line: "20 %", continues: false }],
  ["no characters that hide or turn others", "a\u202eb\u200bc\u0008", { line: "abc", continues: true }],
  ["an unfinished sequence", `text${ESC}[3`, { line: "text", continues: true }],
  ["at most 200 characters", "x".repeat(300), { line: "x".repeat(200), continues: true }],
  ["the end of a long chunk", `${"x".repeat(5_000)}\nend`, { line: "end", continues: false }],
])("finds %s", (_, data, expected) => {
  expect(lastLineOf(data)).toEqual(expected);
});
