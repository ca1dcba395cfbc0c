import { describe, expect, it } from "vitest";
import { passesFilter } from "../live/taskFilter";
import { isFiltered, listInput, readSearch } from "./filters";
import { taskOf } from "./testing";

const member = "0198c0de-0000-7000-8000-000000000001";
const organizationId = "acme";

describe("readSearch", () => {
  it("keeps a valid search unchanged", () => {
    const search = {
      view: "list",
      status: "todo",
      priority: "high",
      assignee: member,
      label: "api",
      q: "log",
    };
    expect(readSearch(search)).toEqual(search);
  });

  it("drops values that the API would reject, and empty or unknown ones", () => {
    expect(
      readSearch({
        view: "grid",
        priority: "huge",
        assignee: "ada",
        q: "  ",
        label: ["a"],
        status: {},
        page: 2,
      }),
    ).toEqual({});
    expect(readSearch({ q: "x".repeat(300) }).q).toHaveLength(200);
  });

  it("accepts numbers and booleans that the router has parsed", () => {
    expect(readSearch({ q: 42, label: true })).toEqual({ q: "42", label: "true" });
  });
});

it("is filtered by everything but the view", () => {
  expect(isFiltered({ view: "list" })).toBe(false);
  expect(isFiltered({ q: "x" })).toBe(true);
});

it("converts a search to the API's filters", () => {
  expect(listInput(organizationId, member, {})).toEqual({ organizationId, order: "rank" });
  expect(listInput(organizationId, member, { assignee: "none" })).toEqual({
    organizationId,
    order: "rank",
    unassigned: true,
  });
  expect(
    listInput(organizationId, member, {
      status: "todo",
      priority: "low",
      assignee: "me",
      label: "api",
      q: "log",
    }),
  ).toEqual({
    organizationId,
    order: "rank",
    status: "todo",
    priority: "low",
    assigneeId: member,
    labels: ["api"],
    search: "log",
  });
});

describe("passesFilter", () => {
  const task = taskOf({ id: "a", priority: "high", assigneeId: member, labels: ["api", "bug"] });
  const keys = ["todo", "started"];

  it.each([
    [{}, true],
    [{ status: "todo" }, true],
    [{ status: "unstarted" }, true],
    // A status key takes precedence over a type of the same name.
    [{ status: "started" }, false],
    [{ priority: "high" as const }, true],
    [{ priority: "low" as const }, false],
    [{ assigneeId: member }, true],
    [{ unassigned: true as const }, false],
    [{ projectId: member }, false],
    [{ labels: ["bug"] }, true],
    [{ labels: ["bug", "web"] }, false],
  ])("filters by %j as the API does: %s", (filter, expected) => {
    expect(passesFilter(task, { organizationId, ...filter }, keys)).toBe(expected);
  });
});
