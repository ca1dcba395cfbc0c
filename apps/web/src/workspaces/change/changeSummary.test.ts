import type { ChangeStatus } from "@grove/schemas";
import { expect, it } from "vitest";
import { changeSummary, obstacles } from "./changeSummary";

const status: ChangeStatus = {
  branch: "login",
  base: "main",
  baseCommit: "b",
  head: "a",
  forkCommit: "b",
  tree: "c",
  ahead: 0,
  behind: 0,
  remote: "origin",
  remoteHead: null,
  uncommittedFiles: 0,
  conflictsWithBase: [],
  inTheMiddle: null,
  suggestedMessage: "",
};

it("describes the work from its first file to the push", () => {
  const texts = [
    {},
    { uncommittedFiles: 1 },
    { ahead: 2, behind: 1, uncommittedFiles: 3 },
    { ahead: 2, remoteHead: "a" },
    { ahead: 1, remote: null },
    { ahead: null, behind: null, inTheMiddle: "rebase" },
  ].map((fields) => changeSummary({ ...status, ...fields }));
  expect(texts).toEqual([
    "Nothing to commit",
    "1 uncommitted file",
    "3 uncommitted files · 2 commits ahead of main · 1 commit behind · not pushed",
    "Nothing to commit · 2 commits ahead of main · pushed",
    "Nothing to commit · 1 commit ahead of main",
    "Rebase in progress · nothing to commit",
  ]);
});

it.each([
  [
    {},
    { commit: "Nothing to commit.", push: "There are no commits to push.", update: "Up to date with main." },
  ],
  [
    { uncommittedFiles: 1, behind: 1 },
    { commit: undefined, update: "Commit your work first." },
  ],
  [{ ahead: 1 }, { push: undefined, merge: undefined }],
  [
    { ahead: 1, remoteHead: "a" },
    { push: "Already pushed.", merge: undefined },
  ],
  [{ ahead: 1, remote: null }, { push: "No remote matches the project's URL." }],
  [
    { ahead: 1, behind: 1, conflictsWithBase: ["a"] },
    { update: undefined, merge: expect.stringContaining("main") },
  ],
  [{ ahead: 1, baseCommit: null }, { merge: "The device has no local branch main." }],
  [{ ahead: null, behind: null }, { update: "The base no longer exists." }],
  [{ uncommittedFiles: 1, tree: null }, { commit: "Resolve the conflicts first." }],
  [
    { branch: null, ahead: 1 },
    { commit: "No branch is checked out.", push: "No branch is checked out." },
  ],
  [{ inTheMiddle: "merge", ahead: 1 }, { push: "A merge is in progress. Finish or abort it first." }],
])("names why an action is not possible: %j", (fields, expected) => {
  expect(obstacles({ ...status, ...fields })).toMatchObject(expected);
});
