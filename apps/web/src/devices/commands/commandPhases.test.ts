import { expect, it } from "vitest";
import { formatDuration, phasesOf } from "./commandPhases";

const at = (ms: number) => new Date(1_000_000 + ms).toISOString();
const times = { createdAt: at(0), claimedAt: null, startedAt: null, finishedAt: null };
const phases = (known: Partial<Record<keyof typeof times, string>>) =>
  phasesOf({ ...times, ...known }, 1_009_000).map(({ title, ms }) => `${title} ${ms}`);

it("contains the phases that a command has reached", () => {
  expect(phases({})).toEqual(["Waited 9000"]);
  expect(phases({ claimedAt: at(100) })).toEqual(["Waited 100", "Sending 8900"]);
  expect(phases({ claimedAt: at(100), startedAt: at(300) })).toEqual([
    "Waited 100",
    "Sending 200",
    "Ran 8700",
  ]);
  expect(phases({ claimedAt: at(100), startedAt: at(300), finishedAt: at(800) })).toEqual([
    "Waited 100",
    "Sending 200",
    "Ran 500",
  ]);
  expect(phases({ finishedAt: at(5_000) })).toEqual(["Waited 5000"]);
});

it("has no negative durations, even if clocks run backwards", () => {
  expect(phases({ claimedAt: at(-50), startedAt: at(-100) })).toEqual(["Waited 0", "Sending 0", "Ran 9100"]);
});

it("formats a duration", () => {
  const texts = [0, 999, 1_500, 59_949, 59_950, 184_000, 3_600_000, 7_500_000].map(formatDuration);
  expect(texts).toEqual([
    "0 ms",
    "999 ms",
    "1.5 s",
    "59.9 s",
    "1 min 0 s",
    "3 min 4 s",
    "1 h 0 min",
    "2 h 5 min",
  ]);
});
