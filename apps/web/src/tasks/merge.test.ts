import { describe, expect, it } from "vitest";
import { withChanges, withoutTask, withTask } from "./merge";
import { statuses, taskOf } from "./testing";

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const versions = [1, 2, 3].map((second) =>
  taskOf({ id: "a", title: `version ${second}`, updatedAt: at(second) }),
);

/** Every order of some things. */
const orders = <Item>(items: Item[]): Item[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

describe("withTask", () => {
  it("ends with the newest version, in any order and with duplicates", () => {
    for (const events of orders([...versions, ...versions.slice(1)])) {
      const tasks = events.reduce((known, task) => withTask(known, task, true), [taskOf({ id: "b" })]);
      expect(tasks.map(({ title }) => title)).toEqual(["b", "version 3"]);
    }
  });

  it("takes a task out that does not pass the filter any more", () => {
    const [first, second] = versions;
    if (!first || !second) throw new Error("there are three");
    expect(withTask([first], second, false)).toEqual([]);
    expect(withTask([second], first, false)).toEqual([second]);
    expect(withTask([], first, false)).toEqual([]);
  });
});

it("takes a deleted task out once", () => {
  const tasks = [taskOf({ id: "a" }), taskOf({ id: "b" })];
  expect(withoutTask(tasks, "a").map(({ id }) => id)).toEqual(["b"]);
  expect(withoutTask(tasks, "c")).toBe(tasks);
});

describe("withChanges", () => {
  const task = taskOf({ id: "a" });

  it("shows the changes of a task in their order, and the type of its new status", () => {
    const changed = withChanges(
      task,
      [
        { id: "a", fields: { status: "doing", title: "first" } },
        { id: "b", fields: { title: "another's" } },
        { id: "a", fields: { title: "second" } },
      ],
      statuses,
    );
    expect(changed).toMatchObject({ title: "second", status: "doing", statusType: "started" });
    expect(task).toMatchObject({ title: "a", status: "todo" });
  });

  it("leaves a task alone that nothing changes", () => {
    expect(withChanges(task, [{ id: "b", fields: { title: "x" } }], statuses)).toBe(task);
  });
});
