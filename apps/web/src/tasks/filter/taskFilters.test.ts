import { describe, expect, it } from "vitest";
import { passesFilter } from "../../live/taskFilter";
import { statuses, taskOf } from "../testing";
import { isFiltered, matchesStatus } from "./activeFilter";
import { listInput, readSearch } from "./taskFilters";

const member = "0198c0de-0000-7000-8000-000000000001";
const organizationId = "acme";

describe("readSearch", () => {
  it("keeps a valid search unchanged", () => {
    const search = {
      view: "list",
      status: ["todo", "done"],
      priority: ["high", "low"],
      assignee: ["me", member],
      label: ["api", "a, b"],
      project: [member],
      q: "log",
    };
    expect(readSearch(search)).toEqual(search);
  });

  it("reads a parameter that is not repeated as one value", () => {
    expect(readSearch({ priority: "high", label: "a, b" })).toEqual({ priority: ["high"], label: ["a, b"] });
  });

  it("drops values that the API would reject, and empty or unknown ones", () => {
    expect(
      readSearch({
        view: "grid",
        priority: ["huge", "high", "high"],
        assignee: "ada",
        project: ["none", 7],
        q: "  ",
        label: ["", {}],
        status: {},
        page: 2,
      }),
    ).toEqual({ priority: ["high"] });
    expect(readSearch({ status: Array.from({ length: 60 }, (_, n) => `s${n}`) }).status).toHaveLength(50);
    expect(readSearch({ q: "x".repeat(300) }).q).toHaveLength(200);
  });

  it("accepts numbers and booleans that the router has parsed", () => {
    expect(readSearch({ q: 42, label: true })).toEqual({ q: "42", label: ["true"] });
  });
});

it("is filtered by everything but the view", () => {
  expect(isFiltered({ view: "list" })).toBe(false);
  expect(isFiltered({ q: "x" })).toBe(true);
});

it("converts a search to the API's filters", () => {
  expect(listInput(organizationId, member, {})).toEqual({ organizationId, order: "rank" });
  expect(listInput(organizationId, member, { assignee: ["none"] })).toEqual({
    organizationId,
    order: "rank",
    unassigned: true,
  });
  expect(listInput(organizationId, member, { assignee: ["none", "me", member] })).toEqual({
    organizationId,
    order: "rank",
    unassigned: true,
    assigneeIds: [member],
  });
  expect(
    listInput(organizationId, member, {
      status: ["todo"],
      priority: ["low", "none"],
      assignee: ["me"],
      label: ["api", "bug"],
      project: [member],
      q: "log",
    }),
  ).toEqual({
    organizationId,
    order: "rank",
    statuses: ["todo"],
    priorities: ["low", "none"],
    assigneeIds: [member],
    labels: ["api", "bug"],
    projectIds: [member],
    search: "log",
  });
});

it("matches statuses by key, otherwise by type", () => {
  const matching = (status: string[]) =>
    statuses.filter((each) => matchesStatus({ status }, each, statuses)).map(({ key }) => key);
  expect(matching(["todo", "completed"])).toEqual(["todo", "done"]);
  expect(matching(["backlog"])).toEqual([]);
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
    [{ statuses: ["done", "unstarted"] }, true],
    [{ statuses: ["done", "started"] }, false],
    [{ priorities: ["low" as const, "high" as const] }, true],
    [{ priorities: ["low" as const] }, false],
    [{ assigneeIds: ["b", member] }, true],
    [{ assigneeIds: ["b"], unassigned: true as const }, false],
    [{ assigneeIds: [member], unassigned: true as const }, true],
    [{ projectIds: [member] }, false],
    [{ labels: ["bug"] }, true],
    [{ labels: ["bug", "web"] }, false],
  ])("filters by %j as the API does: %s", (filter, expected) => {
    expect(passesFilter(task, { organizationId, ...filter }, keys)).toBe(expected);
  });
});
