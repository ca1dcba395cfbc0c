import { expect, it } from "vitest";
import { taskItemAt } from "./taskItem";

it.each([
  ["- [ ] one\n- [x] two", 0, { isDone: false, title: "one", toggled: "- [x] one\n- [x] two" }],
  ["- [ ] one\n- [x] two", 10, { isDone: true, title: "two", toggled: "- [ ] one\n- [ ] two" }],
  ["> 12) [X]  a **b**\r\n> c", 2, { isDone: true, title: "a **b**", toggled: "> 12) [ ]  a **b**\r\n> c" }],
  ["*\t[ ] 😀", 0, { isDone: false, title: "😀", toggled: "*\t[x] 😀" }],
])("toggles the item in %j at %i", (source, offset, expected) => {
  expect(taskItemAt(source, offset)).toEqual(expected);
});

it.each([
  ["- one [ ] two", 0],
  ["- [y] one", 0],
  ["- [ ]one", 0],
  ["a - [ ] one", 0],
  ["- [ ] one", 99],
])("finds none in %j at %i", (source, offset) => {
  expect(taskItemAt(source, offset)).toBeUndefined();
});
