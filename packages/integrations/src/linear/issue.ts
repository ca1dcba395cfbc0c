import type { Issue } from "@grove/schemas";
import * as z from "zod";

/** An issue as the query below selects it, and as webhooks send it. */
const linearIssue = z.object({
  id: z.string(),
  identifier: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  priority: z.number(),
  url: z.string(),
  updatedAt: z.string(),
  state: z.object({ name: z.string(), type: z.string() }),
  assignee: z.object({ name: z.string() }).nullish(),
  team: z.object({ id: z.string() }),
});

/** The fields of an issue that a query selects. */
export const issueFields = `
  id identifier title description priority url updatedAt
  state { name type } assignee { name } team { id }`;

const priorities = ["none", "urgent", "high", "medium", "low"] as const;
const stateTypes: Record<string, Issue["stateType"]> = {
  triage: "backlog",
  backlog: "backlog",
  unstarted: "unstarted",
  started: "started",
  completed: "completed",
  canceled: "canceled",
  duplicate: "canceled",
};

export function toIssue(data: unknown): Issue {
  const found = linearIssue.parse(data);
  return {
    id: found.id,
    key: found.identifier,
    title: found.title,
    description: found.description ?? null,
    state: found.state.name,
    stateType: stateTypes[found.state.type] ?? "unstarted",
    priority: priorities[found.priority] ?? "none",
    assigneeName: found.assignee?.name ?? null,
    teamId: found.team.id,
    url: found.url,
    updatedAt: new Date(found.updatedAt).toISOString(),
  };
}
