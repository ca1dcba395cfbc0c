import { describe, expect, it } from "vitest";
import { linesOf, matchesTexts, rangeOf, spanOf } from "./diffLines";

/** Two hunks, as the viewer's parser reads them. */
const lines = linesOf({
  deletionLines: ["three\n", "four\n", "five\r\n", "six\n", "twenty\n", "end"],
  additionLines: ["three\n", "FOUR\n", "FIVE\n", "more\n", "six\n", "TWENTY\n", "end"],
  hunks: [
    {
      deletionStart: 3,
      additionStart: 3,
      hunkContent: [
        { type: "context", lines: 1, additionLineIndex: 0, deletionLineIndex: 0 },
        { type: "change", deletions: 2, deletionLineIndex: 1, additions: 3, additionLineIndex: 1 },
        { type: "context", lines: 1, additionLineIndex: 4, deletionLineIndex: 3 },
      ],
    },
    {
      deletionStart: 20,
      additionStart: 21,
      hunkContent: [
        { type: "change", deletions: 1, deletionLineIndex: 4, additions: 1, additionLineIndex: 5 },
        { type: "context", lines: 1, additionLineIndex: 6, deletionLineIndex: 5 },
      ],
    },
  ],
});

describe("linesOf", () => {
  it("returns each line with its sign and its numbers", () => {
    expect(lines.map(({ sign, text, before, after }) => [sign, text, before, after])).toEqual([
      [" ", "three", 3, 3],
      ["-", "four", 4, undefined],
      ["-", "five", 5, undefined],
      ["+", "FOUR", undefined, 4],
      ["+", "FIVE", undefined, 5],
      ["+", "more", undefined, 6],
      [" ", "six", 6, 7],
      ["-", "twenty", 20, undefined],
      ["+", "TWENTY", undefined, 21],
      [" ", "end", 21, 22],
    ]);
  });
});

describe("a selection", () => {
  it.each([
    [1, 4],
    [4, 1],
    [0, 9],
    [6, 6],
  ])("from line %i to %i survives a conversion to the viewer's range and back", (anchor, head) => {
    const range = rangeOf(lines, [anchor, head]);
    expect(range && spanOf(lines, range)).toEqual([anchor, head]);
  });

  it("finds an unchanged line by its number on either side", () => {
    expect(spanOf(lines, { start: 21, side: "deletions", end: 22, endSide: "additions" })).toEqual([9, 9]);
    expect(spanOf(lines, { start: 400, side: "additions", end: 401 })).toBeUndefined();
  });
});

it("checks that its lines are those of the files", () => {
  const diff = {
    hunks: [
      {
        deletionStart: 2,
        additionStart: 2,
        hunkContent: [
          { type: "context" as const, lines: 1, additionLineIndex: 0, deletionLineIndex: 0 },
          ...[
            {
              type: "change" as const,
              additions: 1,
              deletions: 1,
              additionLineIndex: 1,
              deletionLineIndex: 1,
            },
          ],
        ],
      },
    ],
    additionLines: ["two\n", "THREE\n"],
    deletionLines: ["two\n", "three\n"],
  };
  expect(matchesTexts(diff, "one\ntwo\nthree\n", "one\ntwo\nTHREE\n")).toBe(true);
  expect(matchesTexts(diff, "one\r\ntwo\r\nthree", "one\ntwo\nTHREE")).toBe(true);
  // A line was added at the top since.
  expect(matchesTexts(diff, "one\ntwo\nthree\n", "zero\none\ntwo\nTHREE\n")).toBe(false);
  expect(matchesTexts(diff, "one\ntwo\n3\n", "one\ntwo\nTHREE\n")).toBe(false);
});
