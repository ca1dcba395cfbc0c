import type { Issue } from "@grove/schemas";
import * as z from "zod";

/** developer.atlassian.com/cloud/jira/platform/rest/v2. Like webhooks, it has descriptions as text. */
const jiraIssue = z.object({
  id: z.string(),
  key: z.string(),
  self: z.string(),
  fields: z.object({
    summary: z.string(),
    description: z.string().nullish(),
    status: z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }).optional() }),
    priority: z.object({ name: z.string() }).nullish(),
    assignee: z.object({ displayName: z.string() }).nullish(),
    project: z.object({ id: z.string() }),
    updated: z.string(),
  }),
});

export const issueFields = ["summary", "description", "status", "priority", "assignee", "project", "updated"];

const stateTypes: Record<string, Issue["stateType"]> = {
  new: "unstarted",
  indeterminate: "started",
  done: "completed",
};
const priorities: Record<string, Issue["priority"]> = {
  highest: "urgent",
  high: "high",
  medium: "medium",
  low: "low",
  lowest: "low",
};

/** @param siteUrl the address of the site for people; by default the API's address */
export function toIssue(data: unknown, siteUrl?: string): Issue {
  const { id, key, self, fields } = jiraIssue.parse(data);
  return {
    id,
    key,
    title: fields.summary,
    description: fields.description ?? null,
    state: fields.status.name,
    stateType: stateTypes[fields.status.statusCategory?.key ?? ""] ?? "unstarted",
    priority: priorities[fields.priority?.name.toLowerCase() ?? ""] ?? "none",
    assigneeName: fields.assignee?.displayName ?? null,
    teamId: fields.project.id,
    url: `${siteUrl ?? self.replace(/\/rest\/.*$/, "")}/browse/${key}`,
    updatedAt: new Date(fields.updated).toISOString(),
  };
}
