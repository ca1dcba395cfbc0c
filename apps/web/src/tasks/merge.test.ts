import { describe, expect, it } from "vitest";
import { withChanges } from "./merge";
import { statuses, taskOf } from "./testing";

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
