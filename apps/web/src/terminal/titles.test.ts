import { expect, it } from "vitest";
import { titleOf } from "./titles";

it("shows a program's title without characters that deceive, and not longer than a line", () => {
  expect(titleOf(" claude\t\u202egnp.exe\u0007 \u200b")).toBe("claude gnp.exe");
  expect(titleOf("👍".repeat(100))).toBe(`${"👍".repeat(79)}…`);
});
