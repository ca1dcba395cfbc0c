import { expect, it } from "vitest";
import { itemsOf, problemsOf, progressOf } from "./workspaceCreation";

const projectId = "0191d7a0-0000-7000-8000-000000000000";
const params = { projectId, workspaces: [{ name: "one" }, { branchName: "two" }, {}] };
const running = { status: "running" as const, params, result: null, progress: null, error: null };
const failure = { reason: "branch_missing", message: "There is no branch 'x'. Give another baseBranch." };
const result = {
  workspaces: [
    { id: projectId, name: "one", alreadyExisted: false },
    { name: "two", alreadyExisted: false, error: failure },
    { name: "swift-otter", alreadyExisted: false },
  ],
};

it("items have the requested names, then those that the device chose", () => {
  expect(itemsOf(running).map(({ name }) => name)).toEqual(["one", "two", "Workspace 3"]);
  const settled = { ...running, status: "succeeded" as const, result };
  expect(itemsOf(settled).map(({ name }) => name)).toEqual(["one", "two", "swift-otter"]);
});

it("problems are those of single items, or of the whole command", () => {
  expect(problemsOf(running)).toEqual([]);
  // The message names the fields by the form's labels.
  const words = "There is no branch 'x'. Give another “Starts from”.";
  expect(problemsOf({ ...running, status: "succeeded", result })).toEqual([words]);
  expect(problemsOf({ ...running, status: "failed", error: failure })).toEqual([failure.message]);
  expect(problemsOf({ ...running, status: "lost" })).toHaveLength(1);
});

it("a result that does not parse is ignored", () => {
  expect(itemsOf({ ...running, status: "succeeded", result: { workspaces: "x" } })[0]?.made).toBeUndefined();
  expect(itemsOf({ ...running, params: {} })).toEqual([]);
});

it("progress is the device's latest message", () => {
  const progress = { message: "Creating workspace 1 of 3", fraction: 0.5, at: "2026-01-01T00:00:00.000Z" };
  expect(progressOf({ ...running, progress })).toEqual({ message: progress.message, fraction: 0.5 });
  expect(progressOf({ ...running, status: "queued" }).message).toContain("machine");
});
