import { expect, it } from "vitest";
import { byUrgency, columnsOf } from "./order";
import { statuses, taskOf } from "./testing";

const idsOf = (board: Parameters<typeof columnsOf>[0]) =>
  columnsOf(board).map((column) => column.tasks.map(({ id }) => id));
const day = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

it("puts the most urgent first, and of the same priority the newest", () => {
  const tasks = [
    taskOf({ id: "old", createdAt: day(1) }),
    taskOf({ id: "new", createdAt: day(2) }),
    taskOf({ id: "low", priority: "low", createdAt: day(3) }),
    taskOf({ id: "urgent", priority: "urgent", createdAt: day(1) }),
  ];
  expect(byUrgency(tasks).map(({ id }) => id)).toEqual(["urgent", "low", "new", "old"]);
});

it("makes a column of each status, also of an empty one", () => {
  const tasks = [taskOf({ id: "a", status: "done" }), taskOf({ id: "b" })];
  const columns = columnsOf({ tasks, statuses });
  expect(columns.map(({ status, tasks }) => [status.key, tasks.map(({ id }) => id)])).toEqual([
    ["todo", ["b"]],
    ["doing", []],
    ["done", ["a"]],
  ]);
});

it("keeps a task on the board whose status is not known yet", () => {
  const tasks = [
    taskOf({ id: "a", status: "review", statusType: "started" }),
    taskOf({ id: "b", status: "icebox", statusType: "backlog" }),
  ];
  expect(idsOf({ tasks, statuses })).toEqual([["b"], ["a"], []]);
});

it("has the cards in the order that people make, and those that move where they will be", () => {
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

it("says how many tasks a status has, also where not all of them are known", () => {
  const tasks = [taskOf({ id: "a" }), taskOf({ id: "b" })];
  const totalsOf = (totals?: Record<string, number>) =>
    columnsOf({ tasks, statuses, totals }).map(({ total }) => total);
  expect(totalsOf()).toEqual([2, 0, 0]);
  expect(totalsOf({ todo: 1_200, done: 3 })).toEqual([1_200, 0, 3]);
});
