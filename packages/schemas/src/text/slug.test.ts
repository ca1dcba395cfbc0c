import { expect, it } from "vitest";
import { toSlug } from "./slug";

it.each([
  ["app", "app"],
  ["My App!", "my-app"],
  ["Ada's app", "adas-app"],
  [".dotfiles", "dotfiles"],
  ["one two three", "one-two"],
  ["日本", ""],
])("of %j is %j", (text, slug) => {
  expect(toSlug(text, 8)).toBe(slug);
});
