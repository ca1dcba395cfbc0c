import { expect, it } from "vitest";
import { parseClaudeLimitEnd, validLimitEnd } from "./limitEnd";

it("takes the end of a limit that is in the near future, and no other time", () => {
  const now = 1_764_000_000_000;
  expect(validLimitEnd(now + 5.5, now)).toBe(now + 6);
  const others = [now, now - 1, now + 40 * 24 * 60 * 60_000, Number.NaN, Number.POSITIVE_INFINITY, undefined];
  expect(others.map((at) => validLimitEnd(at, now))).toEqual(others.map(() => undefined));
});

it("reads the end from Claude Code's error, and guesses none from other texts", () => {
  expect(parseClaudeLimitEnd("Claude AI usage limit reached|1764165780")).toBe(1_764_165_780_000);
  for (const text of [
    undefined,
    "",
    "limit reached, resets 3am",
    "1764165780",
    "usage limit reached|17641657801",
  ])
    expect(parseClaudeLimitEnd(text)).toBeUndefined();
});
