import { expect, it } from "vitest";
import { closedTaskNames } from "./closingKeywords";

const inBody = (body: string) => closedTaskNames({ title: "Change the page", body });

it.each([
  ["a sentence", "Closes task a."],
  ["a list", "- fixes task a\n- other"],
  ["a name in backticks", "Resolves task `a`"],
  ["prose after a quotation", "> Why?\n\nCompletes task a"],
  ["prose after a block of code", "```sh\nls\n```\nCloses task a"],
  ["an indented line of a paragraph", "This change\n    closes task a"],
  ["a comparison", "If x > y, it closes task a"],
])("a task is closed by %s", (_, body) => {
  expect(inBody(body)).toEqual(["a"]);
});

it.each([
  ["a quotation", "> Closes task a"],
  ["a quotation in a quotation", ">> Closes task a"],
  ["a quotation in a list", "- > Closes task a"],
  ["a quotation's second line", "> As you wrote:\nCloses task a"],
  ["a block of code", "```\nCloses task a\n```"],
  ["a block of code with tildes", "~~~md\nCloses task a\n~~~"],
  ["a block of code that shows a fence", "````\n```\nCloses task a\n```\n````"],
  ["an unfinished block of code", "```\nCloses task a"],
  ["an indented block of code", "Write:\n\n    Closes task a"],
  ["a code span", "Write `Closes task a` to close it"],
  ["a comment", "<!-- Closes task a -->"],
  ["HTML's quotation", "<blockquote>\nCloses task a\n</blockquote>"],
  ["a revert by GitHub", "Reverts acme/shop#12\n\nCloses task a"],
  ["a revert by git", "This reverts commit 0123abc.\nCloses task a"],
  ["a revert by GitLab", "This reverts merge request !12\n\nCloses task a"],
])("no task is closed by %s", (_, body) => {
  expect(inBody(body)).toEqual([]);
});

it.each(['Revert "Closes task a"', "revert: closes task a", "revert(web)!: closes task a"])(
  "no task is closed by the title %s",
  (title) => {
    expect(closedTaskNames({ title, body: "Closes task b" })).toEqual([]);
  },
);

it("a title that reports on a revert closes its task", () => {
  expect(closedTaskNames({ title: "Revert the login page, closes task a", body: "" })).toEqual(["a"]);
});
