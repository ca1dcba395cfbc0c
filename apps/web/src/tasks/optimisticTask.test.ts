import { describe, expect, it } from "vitest";
import { applyPending } from "./optimisticTask";
import { statuses, taskOf } from "./testing";

describe("applyPending", () => {
  const task = taskOf({ id: "a" });

  it("applies a task's changes in order, and sets the type of its new status", () => {
    const changed = applyPending(
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

  it("returns the same object for a task without changes", () => {
    expect(applyPending(task, [{ id: "b", fields: { title: "x" } }], statuses)).toBe(task);
  });
});
