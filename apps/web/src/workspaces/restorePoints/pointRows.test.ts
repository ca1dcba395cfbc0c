import { expect, it } from "vitest";
import { pointRows } from "./pointRows";

const point = (turn: number | null, files: number) => ({
  point: `${turn}`.padStart(40, "0"),
  turn,
  at: "2026-01-02T03:04:05.000Z",
  kind: turn === null ? ("fork" as const) : ("turn" as const),
  files,
  added: files,
  removed: 0,
});

it("undoes a turn by the point before it, and leaves out turns without changed files", () => {
  const [third, second, first, fork] = [point(3, 1), point(2, 4), point(1, 0), point(null, 0)];
  const points = [third, second, first, fork];
  expect(pointRows(points, undefined)).toMatchObject([
    { start: second, end: third, files: 1 },
    { start: first, end: second, files: 4 },
  ]);
  expect(pointRows(points, { files: 2, added: 3, removed: 1 })[0]).toEqual({
    start: third,
    end: undefined,
    files: 2,
    added: 3,
    removed: 1,
  });
  expect(pointRows(points, { files: 0, added: 0, removed: 0 })).toHaveLength(2);
});

it("has no row without a point before the changes", () => {
  expect(pointRows([point(7, 3)], undefined)).toEqual([]);
  expect(pointRows([], { files: 2, added: 1, removed: 0 })).toEqual([]);
});
