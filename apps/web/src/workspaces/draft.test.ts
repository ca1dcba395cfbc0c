import { expect, it } from "vitest";
import { draftOf, emptyDraft, requestOf } from "./draft";

const draft = { ...emptyDraft(), name: " one ", branch: "feature", base: "develop" };

it("leaves everything that is empty to the device", () => {
  expect(requestOf(emptyDraft())).toEqual({});
});

it("asks for a new branch with its base, or for an existing one without", () => {
  expect(requestOf(draft)).toEqual({ name: "one", branchName: "feature", baseBranch: "develop" });
  expect(requestOf({ ...draft, kind: "existing" })).toEqual({ name: "one", existingBranch: "feature" });
});

it.each([{}, { name: "one", branchName: "a", baseBranch: "b" }, { existingBranch: "a" }])(
  "begins with an earlier request: %j",
  (request) => {
    expect(requestOf(draftOf(request))).toEqual(request);
  },
);
