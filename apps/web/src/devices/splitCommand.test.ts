import { expect, it } from "vitest";
import { splitCommand } from "./splitCommand";

it.each([
  ["", []],
  ["  claude   -- {prompt} ", ["claude", "--", "{prompt}"]],
  [`sh -c 'echo "$HOME" \\n' ''`, ["sh", "-c", 'echo "$HOME" \\n', ""]],
  [`a "b \\" c\\d" e\\ f g"h"'i'`, ["a", 'b " c\\d', "e f", "ghi"]],
  ["a; b && $(c) > d", ["a;", "b", "&&", "$(c)", ">", "d"]],
  ["it's", undefined],
  ['a "b', undefined],
])("splits %s", (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});
