import type { Issue } from "@grove/schemas";
import { expect, it } from "vitest";
import { filterIssues } from "./filterIssues";

const issueOf = (key: string, title: string, assigneeName: string | null): Issue => ({
  id: key,
  key,
  title,
  assigneeName,
  description: null,
  state: "Todo",
  stateType: "unstarted",
  priority: "none",
  teamId: "1",
  url: "https://example.com",
  updatedAt: "2026-01-01T00:00:00.000Z",
});
const issues = [issueOf("ENG-1", "Fix the login", "Ada Lovelace"), issueOf("ENG-12", "Fix the tests", null)];

it.each([
  ["", ["ENG-1", "ENG-12"]],
  ["eng-12", ["ENG-12"]],
  ["  LOGIN  fix ", ["ENG-1"]],
  ["ada", ["ENG-1"]],
  ["login tests", []],
])("finds by %j", (text, keys) => {
  expect(filterIssues(issues, text).map(({ key }) => key)).toEqual(keys);
});
