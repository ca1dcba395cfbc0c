import { expect, it } from "vitest";
import { beganDuring } from "./beganDuring";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

it("finds the commands that may have started a session: those that ran when it began", () => {
  const session = { startedAt: at(10) };
  expect(beganDuring(session, { startedAt: at(9), finishedAt: at(11) })).toBe(true);
  expect(beganDuring(session, { startedAt: at(9), finishedAt: null })).toBe(true);
  expect(beganDuring(session, { startedAt: at(11), finishedAt: at(12) })).toBe(false);
  expect(beganDuring(session, { startedAt: at(8), finishedAt: at(9) })).toBe(false);
  expect(beganDuring(session, { startedAt: null, finishedAt: at(11) })).toBe(false);
});
