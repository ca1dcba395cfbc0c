import { expect, it } from "vitest";
import { sanitizeTitle } from "./windowTitle";

it("removes invisible characters from a program's title, and shortens it", () => {
  expect(sanitizeTitle(" claude\t\u202egnp.exe\u0007 \u200b")).toBe("claude gnp.exe");
  expect(sanitizeTitle("👍".repeat(100))).toBe(`${"👍".repeat(79)}…`);
});
