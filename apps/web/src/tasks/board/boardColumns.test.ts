import { expect, it } from "vitest";
import { statuses, taskOf } from "../testing";
import { byUrgency, columnsOf } from "./boardColumns";

const idsOf = (board: Parameters<typeof columnsOf>[0]) =>
  columnsOf(board).map((column) => column.tasks.map(({ id }) => id));
const day = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

it("sorts open tasks first, by priority, then newest first", () => {
  const tasks = [
    taskOf({ id: "canceled", priority: "urgent", statusType: "canceled", createdAt: day(4) }),
    taskOf({ id: "done", priority: "urgent", statusType: "completed", createdAt: day(3) }),
    taskOf({ id: "begun", statusType: "started", createdAt: day(3) }),
    taskOf({ id: "old", createdAt: day(1) }),
    taskOf({ id: "new", createdAt: day(2) }),
    taskOf({ id: "low", priority: "low", createdAt: day(3) }),
    taskOf({ id: "urgent", priority: "urgent", createdAt: day(1) }),
  ];
  expect(byUrgency(tasks).map(({ id }) => id)).toEqual([
    "urgent",
    "low",
    "begun",
    "new",
    "old",
    "done",
    "canceled",
  ]);
});

it("creates a column for every status, even without tasks", () => {
  const tasks = [taskOf({ id: "a", status: "done" }), taskOf({ id: "b" })];
  const columns = columnsOf({ tasks, statuses });
  expect(columns.map(({ status, tasks }) => [status.key, tasks.map(({ id }) => id)])).toEqual([
    ["todo", ["b"]],
    ["doing", []],
    ["done", ["a"]],
  ]);
});

it("shows a task with an unknown status under its type", () => {
  const tasks = [
    taskOf({ id: "a", status: "review", statusType: "started" }),
    taskOf({ id: "b", status: "icebox", statusType: "backlog" }),
  ];
  expect(idsOf({ tasks, statuses })).toEqual([["b"], ["a"], []]);
});

it("orders cards by rank, and shows moves in flight at their target", () => {
  const tasks = ["a", "b", "c"].map((id) => taskOf({ id }));
  expect(idsOf({ tasks, statuses })).toEqual([["c", "b", "a"], [], []]);
  const moves = [
    { id: "c", status: "todo", after: "a" },
    { id: "a", status: "doing", after: undefined },
    { id: "b", status: "doing", after: "a" },
    { id: "gone", status: "doing", after: undefined },
  ];
  expect(idsOf({ tasks, statuses, moves })).toEqual([["c"], ["a", "b"], []]);
});

it("counts the tasks of each status, loaded or not", () => {
  const tasks = [taskOf({ id: "a" }), taskOf({ id: "b" })];
  const totalsOf = (totals?: Record<string, number>) =>
    columnsOf({ tasks, statuses, totals }).map(({ total }) => total);
  expect(totalsOf()).toEqual([2, 0, 0]);
  expect(totalsOf({ todo: 1_200, done: 3 })).toEqual([1_200, 0, 3]);
});
