import { at, device, id, organization, type SampleTable, text, user } from "./values";

/** Projects, workspaces and tasks. */
export const projects: Record<string, SampleTable> = {
  repositories: {
    share: 0,
    columns: "id, organization_id, provider, external_id, owner, name, named_at",
    select: `${id("'repository' || n")}, ${organization("n")}, 'github', n, 'a', 'b', ${at("n")}`,
  },
  projects: {
    share: 0,
    columns: "id, organization_id, name, slug, repo_owner, repo_name, repo_url, default_branch",
    select: `${id("'project' || n % 3")}, ${organization("n")}, ${text("n")}, 'project', 'a', 'b', 'https://example.com/a/b', 'main'`,
  },
  project_secrets: {
    share: 0,
    columns: "organization_id, project_id, key, sealed",
    select: `${organization("n")}, ${id("'project' || n % 3")}, 'TOKEN', '1.c2VhbGVk'`,
  },
  workspaces: {
    share: 0,
    columns: "id, organization_id, project_id, device_id, name, type, config, created_by",
    select: `${id("'workspace' || n % 3")}, ${organization("n")}, ${id("'project' || n % 3")}, ${device("n")}, 'w', 'worktree', '{"path": "/a"}', ${user("n")}`,
  },
  workspace_tombstones: {
    share: 0,
    columns: "id, organization_id",
    select: `${id("'tombstone' || n")}, ${organization("n")}`,
  },
  task_statuses: {
    share: 0,
    columns: "organization_id, key, name, type, color, position",
    select: `${organization("n")}, 'backlog', 'Backlog', 'backlog', '#888888', 0`,
  },
  tasks: {
    share: 50,
    columns:
      "id, organization_id, slug, title, description, search_text, status, priority, creator_id, project_id, labels, due_date, created_at",
    select: `${id("'task' || n")}, ${organization("n")}, 'T-' || n, 'Task ' || n, repeat('what is to be done ', 8), 'task ' || n || repeat(' what is to be done', 8), 'backlog', 'high', ${user("n")}, ${id("'project' || n % 3")}, array['bug', ''], '2026-02-28', ${at("n")}`,
  },
  task_activity: {
    share: 0,
    columns: "id, organization_id, task_id, kind, actor_kind, actor_id, body, changes, created_at",
    select: `${id("'activity' || n")}, ${organization("n")}, ${id("'task' || n")}, case n % 2 when 0 then 'comment' else 'change' end, 'user', ${user("n")}, case n % 2 when 0 then ${text("n")} end, case n % 2 when 1 then '{"status":{"from":"a","to":"b"}}'::jsonb end, ${at("n")}`,
  },
};
