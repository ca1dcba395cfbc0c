import { expect, it } from "vitest";
import { draftOf, emptyDraft, requestOf } from "./workspaceDraft";

const draft = { ...emptyDraft(), name: " one ", branch: "feature", base: "develop" };

it("omits empty fields, which the device chooses", () => {
  expect(requestOf(emptyDraft())).toEqual({});
});

it("requests a new branch with its base, or an existing one without", () => {
  expect(requestOf(draft)).toEqual({ name: "one", branchName: "feature", baseBranch: "develop" });
  expect(requestOf({ ...draft, kind: "existing" })).toEqual({ name: "one", existingBranch: "feature" });
});

it.each([{}, { name: "one", branchName: "a", baseBranch: "b" }, { existingBranch: "a" }])(
  "restores an earlier request: %j",
  (request) => {
    expect(requestOf(draftOf(request))).toEqual(request);
  },
);
