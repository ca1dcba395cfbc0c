import type { AgentQuestion } from "@grove/schemas";
import { expect, it } from "vitest";
import { answersOf, chooseOption, emptyDraft, writeOwn } from "./answersOf";

const questions = [{ multiSelect: false }, { multiSelect: true }] as AgentQuestion[];

it("needs an answer to each question", () => {
  const drafts = [chooseOption(emptyDraft, "A", false)];
  expect(answersOf(questions, drafts)).toBeUndefined();
  expect(answersOf(questions, [...drafts, { chosen: [], own: " " }])).toBeUndefined();
  expect(answersOf(questions, [...drafts, { chosen: ["B", "C"], own: "D" }])).toEqual([
    ["A"],
    ["B", "C", "D"],
  ]);
});

it("has one answer to a single choice, which an own text replaces", () => {
  const other = chooseOption(chooseOption(emptyDraft, "A", false), "B", false);
  expect(other).toEqual({ chosen: ["B"], own: "" });
  const own = writeOwn(other, "C", false);
  expect(own).toEqual({ chosen: [], own: "C" });
  expect(chooseOption(own, "A", false)).toEqual({ chosen: ["A"], own: "" });
});

it("adds and removes options of a multiple choice, beside an own text", () => {
  const both = chooseOption(chooseOption({ chosen: [], own: "C" }, "A", true), "B", true);
  expect(both).toEqual({ chosen: ["A", "B"], own: "C" });
  expect(chooseOption(both, "A", true)).toEqual({ chosen: ["B"], own: "C" });
});
