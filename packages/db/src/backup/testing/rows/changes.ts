import { at, device, id, organization, type SampleTable, text, user } from "./values";

/** Changes, pull requests and reviews. */
export const changes: Record<string, SampleTable> = {
  changes: {
    share: 0,
    columns:
      "id, organization_id, project_id, task_id, device_id, branch, base_branch, fork_commit, finished_at, summary, tests, gate_command_id, gate_state, gate_head, gate_at",
    select: `${id("'change' || n")}, ${organization("n")}, ${id("'project' || n % 3")}, ${id("'task' || n")}, ${device("n")}, ${text("n")}, 'main', repeat('a', 40), ${at("n")}, ${text("n")}, array['unit', 'e2e'], ${id("'command' || n")}, 'passed', repeat('a', 40), ${at("n")}`,
  },
  pull_requests: {
    share: 0,
    columns:
      "id, organization_id, repository_id, number, change_id, url, state, head, base, checked_head, checks, mergeable, updated_at, merged_at",
    select: `${id("'pull' || n")}, ${organization("n")}, ${id("'repository' || n")}, n, ${id("'change' || n")}, 'https://example.com/a/b/1', 'merged', ${text("n")}, 'main', repeat('a', 40), 'passed', 'no', ${at("n")}, ${at("n")}`,
  },
  review_rounds: {
    share: 0,
    columns: "id, organization_id, change_id, number, sent_by, session_id, command_id",
    select: `${id("'round' || n")}, ${organization("n")}, ${id("'change' || n")}, 1, ${user("n")}, ${id("'session' || n")}, ${id("'command' || n")}`,
  },
  review_comments: {
    share: 0,
    columns:
      "id, organization_id, change_id, author_id, body, anchor, state, round_id, answer_state, answer_commit, answer_body, answered_at",
    select: `${id("'review' || n")}, ${organization("n")}, ${id("'change' || n")}, ${user("n")}, ${text("n")}, '{"path":"a"}', 'sent', ${id("'round' || n")}, 'fixed', repeat('b', 40), ${text("n")}, ${at("n")}`,
  },
  review_marks: {
    share: 0,
    columns: "organization_id, change_id, user_id, point, marked_at",
    select: `${organization("n")}, ${id("'change' || n")}, ${user("n")}, repeat('a', 40), ${at("n")}`,
  },
  approvals: {
    share: 0,
    columns: "organization_id, change_id, user_id, head, base",
    select: `${organization("n")}, ${id("'change' || n")}, ${user("n")}, repeat('a', 40), 'main'`,
  },
  merge_intents: {
    share: 0,
    columns:
      "id, organization_id, change_id, number, head, base, method, requested_by, status, created_at, expires_at, ended_at",
    select: `${id("'intent' || n")}, ${organization("n")}, ${id("'change' || n")}, n, repeat('a', 40), 'main', 'squash', ${user("n")}, 'done', ${at("n")}, ${at("n")}, ${at("n")}`,
  },
};
