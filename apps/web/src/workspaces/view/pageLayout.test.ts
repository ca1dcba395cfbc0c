import { expect, it } from "vitest";
import { workspaceSearch } from "../workspaceSearch";
import { rightSideIsVisible, withRightSide, withView } from "./pageLayout";

it.each([
  [{}, true, true],
  [{ only: "terminals" }, true, false],
  [{}, false, false],
  [{ only: "changes" }, false, true],
  // The link to a file.
  [{ side: "files", file: "a" }, false, true],
  [{ side: "overview" }, false, true],
  [{ side: "files", tab: "t" }, false, false],
] as const)(
  "with %o in a window that is wide: %s, the right side is visible: %s",
  (search, wide, visible) => {
    expect(rightSideIsVisible(search, wide)).toBe(visible);
  },
);

it.each([
  [{ tab: "t" }, "files", true, { tab: "t", side: "files" }],
  [{ only: "terminals" }, "files", true, { side: "files" }],
  [{ only: "changes", file: "a" }, "files", true, { only: "changes", file: "a", side: "files" }],
  [{ side: "files", line: 3 }, "changes", true, { line: 3 }],
  [{ tab: "t" }, "overview", false, { tab: "t", only: "changes", side: "overview" }],
  [{ tab: "t" }, "changes", false, { tab: "t", only: "changes" }],
  [{ side: "files", file: "a" }, "files", false, { side: "files", file: "a" }],
] as const)("from %o to the %s, wide: %s", (search, side, wide, next) => {
  expect(withRightSide(search, side, wide)).toEqual(next);
});

it("keeps the comparison and the file when the tab changes", () => {
  const search = { tab: "t", only: "terminals", against: "head", side: "files", file: "a" } as const;
  expect(withView(search, { tab: undefined })).toEqual({ against: "head", side: "files", file: "a" });
});

it("reads the file and the line from the address", () => {
  const search = { side: "files", file: "a", line: 2 };
  expect(workspaceSearch(search)).toEqual(search);
  expect(workspaceSearch({ file: 2026, line: 0, side: "other" })).toEqual({ file: "2026" });
});
