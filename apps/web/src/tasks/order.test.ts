import { expect, it } from "vitest";
import { columnsOf, inOrder } from "./order";
import { statuses, taskOf } from "./testing";

const day = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

it("puts the most urgent first, and of the same priority the newest", () => {
  const tasks = [
    taskOf({ id: "old", createdAt: day(1) }),
    taskOf({ id: "new", createdAt: day(2) }),
    taskOf({ id: "low", priority: "low", createdAt: day(3) }),
    taskOf({ id: "urgent", priority: "urgent", createdAt: day(1) }),
  ];
  expect(inOrder(tasks).map(({ id }) => id)).toEqual(["urgent", "low", "new", "old"]);
});

it("makes a column of each status, also of an empty one", () => {
  const columns = columnsOf([taskOf({ id: "a", status: "done" }), taskOf({ id: "b" })], statuses);
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
  expect(columnsOf(tasks, statuses).map((column) => column.tasks.map(({ id }) => id))).toEqual([
    ["b"],
    ["a"],
    [],
  ]);
});
