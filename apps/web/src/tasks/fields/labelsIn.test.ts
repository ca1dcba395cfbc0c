import { expect, it } from "vitest";
import { labelsIn, suggestedLabels } from "./labelsIn";

it("parses labels without blanks and duplicates", () => {
  expect(labelsIn(" bug, api ,, bug")).toEqual(["bug", "api"]);
  expect(labelsIn(" , ")).toEqual([]);
});

it("suggests labels that are not selected, first those that begin with the text", () => {
  const known = ["api", "bug", "rapid", "web"];
  expect(suggestedLabels(known, [], "")).toEqual(known);
  expect(suggestedLabels(known, ["bug"], " ")).toEqual(["api", "rapid", "web"]);
  expect(suggestedLabels(["rapid", "API"], [], "ap")).toEqual(["API", "rapid"]);
  expect(suggestedLabels(known, [], "zzz")).toEqual([]);
});
