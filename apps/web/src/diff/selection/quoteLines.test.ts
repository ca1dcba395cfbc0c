import { expect, it } from "vitest";
import type { Line } from "../patch/diffLines";
import { quoteLines } from "./quoteLines";

const lines: Line[] = [
  { sign: " ", text: "one", before: 1, after: 1 },
  { sign: "-", text: "two", before: 2, after: undefined },
  { sign: "+", text: "\tTWO", before: undefined, after: 2 },
  { sign: " ", text: "three", before: 3, after: 3 },
];

it("quotes lines with their file and numbers, in either direction", () => {
  expect(quoteLines("src/a.ts", lines, [1, 3])).toBe("src/a.ts:2-3\n-two\n+\tTWO\n three\n");
  expect(quoteLines("src/a.ts", lines, [3, 1])).toBe("src/a.ts:2-3\n-two\n+\tTWO\n three\n");
  expect(quoteLines("src/a.ts", lines, [0, 0])).toBe("src/a.ts:1\none\n");
  expect(quoteLines("src/a.ts", lines, [1, 1])).toBe("src/a.ts:2\n-two\n");
});

it("contains no control characters", () => {
  const evil = { sign: "+" as const, text: "\u001b[201~rm -rf /\r\u0003", before: undefined, after: 1 };
  const quote = quoteLines("a\u001b.ts", [evil], [0, 0]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them.
  expect(quote).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

it("ends with the number of omitted lines", () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ ...lines[0], text: "x", after: at + 1 }) as Line);
  expect(quoteLines("a", many, [0, 299]).split("\n").at(-2)).toBe("… and 100 more lines");
  const long = many.map((line) => ({ ...line, text: "x".repeat(3_000) }));
  expect(quoteLines("a", long, [0, 9]).split("\n").at(-2)).toBe("… and 8 more lines");
});
