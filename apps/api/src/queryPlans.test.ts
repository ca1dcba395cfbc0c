import { newId } from "@grove/db";
import { CompiledQuery, sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { reachOf } from "./changes/pullRequests";
import { deleteOutdated } from "./maintenance/retention";
import { addMember } from "./testing/fixtures";
import { useTestServer } from "./testing/server";

const server = await useTestServer();
const ada = await server.signUp();
const { organizationId } = ada;
const { db } = server.database;

/** Fills the listed tables with 10 000 rows of one organization. */
beforeAll(async () => {
  const org = sql`${organizationId}::uuid`;
  const times = sql`now() - count * interval '1 second'`;
  const rows = sql`from generate_series(1, 10000) as count`;
  const [project, device, repository] = [newId(), newId(), newId()];
  await sql`insert into projects
    (id, organization_id, name, slug, repo_owner, repo_name, repo_url, default_branch, created_at)
    select case count when 1 then ${project}::uuid else gen_random_uuid() end, ${org}, 'p', 'p' || count, 'o', 'r',
      'https://example.com/o/r', 'main', ${times} ${rows}`.execute(db);
  await sql`insert into devices (id, organization_id, owner_id, name, platform, key_prefix, key_hash, created_at)
    select case count when 1 then ${device}::uuid else gen_random_uuid() end, ${org}, ${ada.user.id}::uuid, 'd',
      'linux', 'grd_', 'hash' || count, ${times} ${rows}`.execute(db);
  await sql`insert into workspaces (id, organization_id, project_id, name, type, config, created_at)
    select gen_random_uuid(), ${org}, ${project}::uuid, 'w', 'worktree', '{}', ${times} ${rows}`.execute(db);
  await sql`insert into device_commands (id, organization_id, device_id, tool, params, status, principal, timeout_ms,
      queue_expires_at, created_at)
    select (${newId().slice(0, 14)} || '7' || substr(gen_random_uuid()::text, 16))::uuid, ${org}, ${device}::uuid, 'list_projects', '{}', 'succeeded', 'user', 1, now(), ${times}
    ${rows}`.execute(db);
  await sql`insert into users (id, email, name)
    select gen_random_uuid(), count || '@members.example', 'm' ${rows}`.execute(db);
  await sql`insert into memberships (organization_id, user_id, role, created_at)
    select ${org}, id, 'member', now() - random() * interval '1 day' from users
    where email like '%@members.example'`.execute(db);
  await sql`insert into audit_events (id, organization_id, actor_kind, action, target_type, target_id, created_at)
    select gen_random_uuid(), ${org}, 'system', 'test', 'test', 'test', ${times} ${rows}`.execute(db);
  await sql`insert into invitations (id, organization_id, email, role, token_hash, expires_at, created_at)
    select gen_random_uuid(), ${org}, count || '@example.com', 'member', count::text, now(), ${times}
    ${rows}`.execute(db);
  await sql`insert into tasks
    (id, organization_id, slug, title, search_text, status, priority, labels, created_at)
    select gen_random_uuid(), ${org}, 't' || count, 't', 't', 'todo', 'none', '{}', ${times} ${rows}`.execute(
    db,
  );
  await sql`insert into changes (id, organization_id, project_id, branch, created_at, updated_at)
    select gen_random_uuid(), ${org}, ${project}::uuid, 'b' || count, ${times}, ${times} ${rows}`.execute(db);
  await sql`insert into repositories (id, organization_id, provider, external_id, owner, name, named_at)
    values (${repository}, ${org}, 'github', '1', 'o', 'r', now())`.execute(db);
  await sql`insert into pull_requests
    (id, organization_id, repository_id, number, change_id, state, head, base, updated_at, merged_at)
    select gen_random_uuid(), ${org}, ${repository}::uuid, row_number() over (), id, 'merged', branch, 'base' || branch,
      now(), now() from changes`.execute(db);
  await sql`insert into chat_sessions (id, organization_id, title, created_at)
    select gen_random_uuid(), ${org}, 's', ${times} ${rows}`.execute(db);
  await sql`insert into integration_events
    (id, organization_id, provider, delivery_id, body_hash, type, payload, status, created_at)
    select gen_random_uuid(), ${org}, 'github', count::text, count::text, 'ping', '{}', 'processed', ${times}
    ${rows}`.execute(db);
  for (const table of [
    "projects",
    "devices",
    "workspaces",
    "device_commands",
    "users",
    "memberships",
    "audit_events",
    "invitations",
    "tasks",
    "changes",
    "pull_requests",
    "chat_sessions",
    "integration_events",
  ] as const)
    await sql`analyze ${sql.table(table)}`.execute(db);
});

/** The plan of the server's last statement that contains this text. */
async function planOf(text: string): Promise<string> {
  const sent = server.statements.findLast((statement) => statement.sql.includes(text));
  if (!sent) throw new Error(`No statement with ${text} was sent.`);
  const { rows } = await db.executeQuery<Record<string, string>>(
    CompiledQuery.raw(`explain ${sent.sql}`, [...sent.parameters]),
  );
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

const page = { organizationId, limit: 50 };
it.each([
  ["projects", () => ada.client.project.list.query(page)],
  ["devices", () => ada.client.device.list.query(page)],
  ["workspaces", () => ada.client.workspace.list.query(page)],
  ["memberships", () => ada.client.organization.listMembers.query(page)],
  ["audit_events", () => ada.client.organization.listAuditEvents.query(page)],
  ["tasks", () => ada.client.task.list.query(page)],
  ["changes", () => ada.client.workspace.change.list.query(page)],
  ["integration_events", () => ada.client.integration.listEvents.query(page)],
  ["chat_sessions", () => ada.client.chat.listSessions.query(page)],
])("a page of %s is read from its index, without a sort", async (table, list) => {
  const listed: object[] = await list();
  expect(listed).toHaveLength(50);
  const plan = await planOf(`from "${table}"`);
  expect(plan).toContain(`Index Scan using ${table}_organization`);
  expect(plan).not.toContain("Sort");
});

it("tasks in the order that people make are read from its index, without a sort", async () => {
  const first = await ada.client.task.list.query({ ...page, order: "rank" });
  expect(await ada.client.task.list.query({ ...page, order: "rank", after: first.at(-1)?.id })).toHaveLength(
    50,
  );
  const plan = await planOf('from "tasks"');
  expect(plan).toContain("Index Scan using tasks_rank");
  expect(plan).not.toContain("Sort");
});

it("the page after a row is read from the index, too", async () => {
  const first = await ada.client.workspace.list.query(page);
  const second = await ada.client.workspace.list.query({ ...page, after: first.at(-1)?.id });
  expect(second[0]?.id).not.toBe(first.at(-1)?.id);
  const plan = await planOf('from "workspaces"');
  expect(plan).toContain("Index Scan using workspaces_organization");
  expect(plan).not.toContain("Sort");
});

it("a device's open commands are found in the index of open ones", async () => {
  const { rows } = await sql<Record<string, string>>`explain select id from device_commands
    where organization_id = ${organizationId} and device_id = ${newId()} and status = 'queued'
    order by created_at, id limit 100`.execute(db);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("device_commands_open");
});

it("commands that are kept for minutes are found without reading all of them", async () => {
  await deleteOutdated(server.services.database.db);
  expect(await planOf("get_agent_screen")).toContain("device_commands_screens");
  expect(await planOf("get_workspace_diff")).toContain("device_commands_files");
});

it("waiting deliveries are found without reading all of them", async () => {
  const { rows } = await sql<Record<string, string>>`explain select id from integration_events
    where status = 'pending' and run_at <= now() order by run_at, id limit 1 for update skip locked`.execute(
    db,
  );
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("integration_events_pending");
});

it("the changes of a task, a workspace and a project are read from their indexes", async () => {
  const { list } = ada.client.workspace.change;
  await list.query({ ...page, taskId: newId() });
  expect(await planOf('from "changes"')).toContain("changes_task");
  await list.query({ ...page, workspaceId: newId() });
  expect(await planOf('from "changes"')).toContain("changes_workspace");
  await list.query({ ...page, projectId: newId() });
  expect(await planOf('from "changes"')).not.toContain("Seq Scan");
});

it("the changes that wait for people are found among those with a workspace or an open pull request", async () => {
  expect(await ada.client.workspace.change.list.query({ ...page, waits: true })).toEqual([]);
  const plan = await planOf('from "changes"');
  expect(plan).toContain("changes_workspace");
  // Without an open one, the index by the next read is as small.
  expect(plan).toMatch(/pull_requests_(open|poll)/);
  expect(plan).not.toMatch(/Seq Scan on (changes|pull_requests)/);
});

it("a merge reads only the pull requests of its branches", async () => {
  const { id } = await db.selectFrom("pull_requests").select("id").limit(1).executeTakeFirstOrThrow();
  await server.services.database.db.transaction().execute((trx) => reachOf(trx, organizationId, id));
  expect(await planOf("with recursive onward")).toContain("pull_requests_head");
  expect(await planOf("with recursive carried")).toContain("pull_requests_base");
});

it("the next pull request to read from its code host is found by its index", async () => {
  expect(await planOf("min(poll_at)")).toContain("pull_requests_poll");
  expect(await planOf("and poll_at <= now()")).toContain("pull_requests_poll");
});

it("an organization's invitations are read from their index", async () => {
  await ada.client.organization.listInvitations.query({ organizationId });
  expect(await planOf('from "invitations"')).toContain("invitations_organization");
});

it("removing a member reads no rows of other organizations", async () => {
  const bob = await server.signUp("Bob");
  await addMember(server, organizationId, bob, "member");
  await bob.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
  await bob.client.organization.leave.mutate({ organizationId });
  const plan = await planOf("update device_commands");
  expect(plan).toContain("device_commands_open");
  // A part without rows is read as it is.
  expect(plan).not.toMatch(/Seq Scan on device_commands_.* rows=\d\d/);
});
