import { newId } from "@grove/db";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { projectFields } from "../testing/fixtures";
import { useTestServer } from "../testing/server";

const server = await useTestServer();
const ada = await server.signUp();
const { organizationId, token } = ada;
const { db } = server.database;

/** A text of 50 000 characters at its largest: 150 kB. */
const longest = "€".repeat(50_000);
const ROWS = 60;
const sessionId = newId();

beforeAll(async () => {
  const org = sql`${organizationId}::uuid`;
  const rows = sql`from generate_series(1, ${sql.lit(ROWS)}) as n`;
  const time = sql`now() - n * interval '1 second'`;
  const { id: projectId } = await ada.client.project.create.mutate({ organizationId, ...projectFields() });
  const device = await ada.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
  await sql`insert into tasks
    (id, organization_id, slug, title, description, search_text, status, priority, labels, created_at)
    select gen_random_uuid(), ${org}, 't' || n, 't', ${longest}, 't', 'todo', 'none', '{}', ${time} ${rows}`.execute(
    db,
  );
  await sql`insert into chat_sessions (id, organization_id, title) values (${sessionId}, ${org}, 's')`.execute(
    db,
  );
  await sql`insert into chat_messages (id, organization_id, session_id, role, text, created_at)
    select gen_random_uuid(), ${org}, ${sessionId}, 'user', ${longest}, ${time} ${rows}`.execute(db);
  await sql`insert into workspaces (id, organization_id, project_id, name, type, config, created_at)
    select gen_random_uuid(), ${org}, ${projectId}::uuid, 'w', 'worktree',
      jsonb_build_object('text', ${"x".repeat(65_000)}::text), ${time}
    from generate_series(1, 150) as n`.execute(db);
  await sql`insert into device_commands
    (id, organization_id, device_id, tool, params, status, principal, timeout_ms, queue_expires_at, error, created_at)
    select gen_random_uuid(), ${org}, ${device.id}::uuid, 'list_projects', '{}', 'failed', 'user', 1, now(),
      jsonb_build_object('reason', 'x', 'message', ${"€".repeat(10_000)}::text), ${time}
    from generate_series(1, 300) as n`.execute(db);
});

type Page = { limit?: number; after?: string };

describe("a page", () => {
  it.each<[name: string, rows: number, list: (page: Page) => Promise<{ id: string }[]>]>([
    ["task.list", ROWS, (page) => ada.client.task.list.query({ organizationId, ...page })],
    [
      "chat.listMessages",
      ROWS,
      (page) => ada.client.chat.listMessages.query({ organizationId, sessionId, ...page }),
    ],
    ["workspace.list", 150, (page) => ada.client.workspace.list.query({ organizationId, ...page })],
    ["agent.listCommands", 300, (page) => ada.client.agent.listCommands.query({ organizationId, ...page })],
  ])("of %s ends at 4 MiB, and the next continues after it", async (_, rows, list) => {
    const seen: string[] = [];
    for (let page = await list({}); page.length > 0; page = await list({ after: seen.at(-1) })) {
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(4.5 * 1024 * 1024);
      if (seen.length + page.length < rows) expect(page.length).toBeGreaterThanOrEqual(16);
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).toHaveLength(rows);
    expect(new Set(seen).size).toBe(rows);
  });

  it("reads only the columns of a task that it returns", async () => {
    await ada.client.task.list.query({ organizationId, limit: 1 });
    expect(server.statements.findLast(({ sql }) => sql.includes('from "tasks"'))?.sql).not.toContain(
      "search_text",
    );
  });
});

/** A batch of task.list, answered by the fast path or by tRPC itself. */
async function batch(calls: number, headers: Record<string, string> = {}) {
  const input = Object.fromEntries(Array.from({ length: calls }, (_, n) => [n, { organizationId }]));
  const paths = Array(calls).fill("task.list").join(",");
  const url = `${server.url}/api/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const text = await response.text();
  const answers = JSON.parse(text) as {
    result?: unknown;
    error?: { data: { code: string; reason?: string } };
  }[];
  return { status: response.status, bytes: Buffer.byteLength(text), answers };
}

it.each([
  ["by the fast path", {}],
  ["by tRPC itself", { "trpc-accept": "application/json" }],
])("a batch answered %s has a budget for its answers", async (_, headers) => {
  const { status, answers, bytes } = await batch(40, headers);
  expect(status).toBe(207);
  // The limit counts characters, which have three bytes here.
  expect(bytes).toBeLessThan(3 * 17 * 1024 * 1024);
  const refused = answers.filter(({ error }) => error);
  expect(refused.length).toBeGreaterThanOrEqual(20);
  for (const { error } of refused)
    expect(error?.data).toMatchObject({ code: "PAYLOAD_TOO_LARGE", reason: "answer_too_large" });
});
