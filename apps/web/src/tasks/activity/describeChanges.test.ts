import { expect, it } from "vitest";
import { type ActivityNames, actorName, describeChanges } from "./describeChanges";

const names: ActivityNames = {
  members: [{ userId: "ada", name: "Ada" }],
  statuses: [
    { key: "backlog", name: "Backlog" },
    { key: "done", name: "Done" },
  ],
  projects: [{ id: "shop", name: "Shop" }],
};
const sentence = (changes: Parameters<typeof describeChanges>[0]) =>
  describeChanges(changes, names)
    .map((part) => (typeof part === "string" ? part : `[${part.value}]`))
    .join("");

it.each([
  [{ status: { from: "backlog", to: "done" } }, "changed the status from [Backlog] to [Done]"],
  [{ status: { from: "deleted", to: "done" } }, "changed the status from [deleted] to [Done]"],
  [{ priority: { from: "none", to: "high" } }, "set the priority to [High]"],
  [{ assigneeId: { from: "gone", to: "ada" } }, "changed the assignee from [A former member] to [Ada]"],
  [{ projectId: { from: "shop", to: null } }, "removed the project [Shop]"],
  [
    { labels: { from: ["a", "b"], to: ["b", "c", "d"] } },
    "added the labels [c, d] and removed the label [a]",
  ],
  [{ labels: { from: ["a", "b"], to: ["b", "a"] } }, "reordered the labels"],
  [{ mergedInto: { from: "feature-b", to: "feature-a" } }, "merged [feature-b] into [feature-a]"],
  [{ mergedInto: { from: null, to: "release-1" } }, "merged a fork's branch into [release-1]"],
  [{ dueDate: { from: null, to: "2028-02-03" } }, "set the due date to [Feb 3, 2028]"],
  [
    {
      title: { from: "a", to: "b" },
      description: { from: null, to: null },
      estimate: { from: 1, to: 0 },
    },
    "changed the title from [a] to [b], changed the description and changed the estimate from [1] to [0]",
  ],
])("describes %j", (changes, expected) => {
  expect(sentence(changes)).toBe(expected);
});

it.each([
  ["user", "ada", "Ada"],
  ["user", null, "A former member"],
  ["api_key", "ada", "Ada's agent"],
  ["api_key", null, "A former member's agent"],
  ["integration", null, "Integration"],
] as const)("names the author: %s %s", (actorKind, actorId, expected) => {
  expect(actorName({ actorKind, actorId }, names.members)).toBe(expected);
});
